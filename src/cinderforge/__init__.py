"""Cinderforge (灼焰契約): an online hidden-role card game, rules and server and AIs in one package."""

__version__ = "0.1.0"
