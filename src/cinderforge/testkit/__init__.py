"""What tests, benches and the command line share: whole games, twin worlds, a clock that jumps."""
