"""Games as records: `*.cinder.jsonl`, one game a line (docs/formats.md)."""
