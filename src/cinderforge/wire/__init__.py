"""What is said over the socket: the messages as types, and their bytes."""
