"""Games written by hand, with what must be true along the way: `*.scenario.yaml` (docs/formats.md)."""
