"""Where asyncio begins: sockets, storage, tasks and the clock; no rule of the game lives here."""
