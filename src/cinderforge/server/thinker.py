"""One AI process: answers questions over a socket, one after the other, until the server is gone.

    python -m cinderforge.server.thinker DESCRIPTOR

The server starts it (`server/thinkers.py`). A message is its length in four bytes, then MessagePack.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from cinderforge.bots import bot_of, weights
from cinderforge.bots.bot import offer_of
from cinderforge.bots.characters import Character
from cinderforge.bots.levels import Level
from cinderforge.kernel import minds
from cinderforge.redaction.claims import Claim
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View
from cinderforge.rules.offers import commands_of

HEAD: Final = 4
NICE: Final = 5
"""Where there is one core, tables come before thoughts."""


class Question(Struct, frozen=True):
    """What `Bot.choose` or `Level.spoken` wants to know; never more (R11)."""

    level: str
    character: Character
    view: View
    recollection: Recollection
    seed: str
    words: int = 0
    """How many claims are wanted; with none, a command is."""


class Reply(Struct, frozen=True):
    """Which of the commands on offer, and how long the thought took; null where it failed."""

    place: int | None
    seconds: float
    claims: list[Claim] = []


def framed(message: Struct) -> bytes:
    """A message as it goes over the socket."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(HEAD, "big") + body


def answer(question: Question) -> Reply:
    """Thinks. Whatever fails is no answer: the server has one of its own."""
    began = time.perf_counter()
    place = None
    try:
        bot = bot_of(question.level, question.character)
        if question.words and isinstance(bot, Level):
            said = bot.spoken(question.view, question.recollection, question.words, question.seed)
            return Reply(None, time.perf_counter() - began, said)
        assert question.view.you and question.view.you.offer
        command = bot.choose(question.view, question.recollection, Random(question.seed))
        place = commands_of(offer_of(question.view.you.offer)).index(command)
    except Exception as error:
        # Its words might quote what a seat knows.
        print(f"the AI {question.level} failed: {type(error).__name__}", file=sys.stderr)  # noqa: T201
    return Reply(place, time.perf_counter() - began)


def _questions(server: socket.socket) -> Iterator[Question]:
    decoder = msgspec.msgpack.Decoder(Question)
    with server.makefile("rb") as stream:
        while head := stream.read(HEAD):
            yield decoder.decode(stream.read(int.from_bytes(head, "big")))


def main(descriptor: int) -> None:
    """Serves until the other end is closed, by whatever: Ctrl-C is for the server to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    weights.shipped("blueprint"), minds.shipped()
    with suppress(BrokenPipeError, ConnectionResetError), socket.socket(fileno=descriptor) as server:
        for question in _questions(server):
            server.sendall(framed(answer(question)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
