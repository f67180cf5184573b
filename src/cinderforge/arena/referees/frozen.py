"""What the referees were when they were frozen, on 2026-11-30: their files, and what they did in four games each."""

from __future__ import annotations

from typing import Final

FILES: Final = {
    "by_hand.py": "de65d6a9b340844e13d455ee7e2946d545cad0d51c9f046a12422333a819d8cf",
    "by_thought.py": "e9efbdb56e9237cd79fbaffdf56085f749d0f1969452e84b1b9c62a75154b61a",
    "nets.py": "1c2d3634a8e4cad2c0bf02643c4c39ac5eb2c92d289b871476f637a4a721207e",
    "seat.py": "4c11f65f822da79fb2b15c6a8db31bbddad00a5e2e362edf37e83c1d7151ca19",
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
