"""Who may know what, and until when (R11): the one folder through which every byte about a game reaches anybody."""
