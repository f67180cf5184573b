"""The game itself: pure functions on plain values. No clock, no I/O, no logging, no dice of their own."""
