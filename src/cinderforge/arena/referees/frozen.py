"""What the referees were when they were frozen, on 2026-11-30: their files, and what they did in four games each."""

from __future__ import annotations

from typing import Final

FILES: Final = {
    "by_hand.py": "de65d6a9b340844e13d455ee7e2946d545cad0d51c9f046a12422333a819d8cf",
    "by_thought.py": "1bfff6f9b225d6afda0c9a615622eebfa1816e69cb1d08df44b8f098a0e5aa3c",
    "nets.py": "21d0dfc78f8949202e5dd90bc900add427c23ec84af864c081f0ee0a240c633c",
    "seat.py": "17ad0887ba24a2ee6c72544c788575348c1c422e06e1ae571b09a03891ba043b",
    "youth.net": "92f9bcce69cc5364ed24e66664ffd91ebee77b0e8dfaeb80df048999656741b9",
}
PLAYS: Final = {
    "first": "e80081713cb8743c",
    "sleeper": "de197a1c5f9e42d4",
    "counter": "32c4df767ec5d977",
    "cautious": "9211cc088df063d5",
    "mirror": "5ac9d032ba7e7c70",
    "grudge": "d84f25d6a3320c31",
    "calendar": "d8217eb482ecb1eb",
    "herd": "70cacfa5546d2b66",
    "tail": "a1a78b07853f5ef6",
    "gambit": "03c76858d6e39f8f",
    "tremor": "6546a9883ad408c7",
    "logician": "1b1c8fe9bb9e94dc",
    "planner": "57fb02f3e4c6ad4d",
    "tree": "624884e35b08ee46",
    "youth": "e84e53c645d2fbf3",
}
