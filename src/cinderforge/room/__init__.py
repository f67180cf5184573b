"""One room as a machine without a socket: inputs go in, outputs come out. Nothing here waits for anything."""
