"""The command `cinderforge`: one module a subcommand."""
