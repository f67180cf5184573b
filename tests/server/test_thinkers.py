"""AIs that think in processes of their own: a game outlives them, they put no moment off, and they end with us."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import Counter

from cinderforge.bots import HABIT
from cinderforge.bots.bot import offer_of
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View
from cinderforge.room.inputs import BotAnswered, Change, Fill, Input, SessionKey, Start, Watch
from cinderforge.room.outputs import AskBot, AskWords
from cinderforge.rules.commands import Command, Skip
from cinderforge.rules.offers import commands_of
from cinderforge.server import metrics, room_task
from cinderforge.server.lobby import Lobby
from cinderforge.server.room_task import RoomTask
from cinderforge.server.store_memory import MemoryStore
from cinderforge.server.thinker import Question, answer
from cinderforge.server.thinkers import Thinkers, Thought, Words
from cinderforge.testkit.clock import JumpingClock
from tests.server.test_lobby import ask, settle, sit

pytestmark = pytest.mark.anyio
PATIENCE = 60.0


class Watched(Thinkers):
    """Keeps what it was asked."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.thoughts: list[Thought] = []
        self.words: list[Words] = []

    def think(self, ask: AskBot) -> Thought:
        self.thoughts.append(super().think(ask))
        return self.thoughts[-1]

    def word(self, ask: AskWords) -> Words:
        self.words.append(super().word(ask))
        return self.words[-1]

    async def rest(self) -> None:
        """Until everything asked is answered."""
        found = [thought.found for thought in self.thoughts if not thought.is_over]
        if found:
            await asyncio.wait_for(asyncio.wait(found), PATIENCE)


class Watch5:
    """A game of five wardens that think with these, and when each of them was asked to answer and did."""

    def __init__(self, thinkers: Thinkers | None) -> None:
        self.clock = JumpingClock()
        self.lobby = Lobby(MemoryStore(), self.clock, thinkers=thinkers)
        self.answered: list[int] = []
        self.task: RoomTask | None = None

    async def play(self, before_each: Callable[[], Any]) -> None:
        task = await self.lobby.create(SessionKey("a"), "A")
        self._listen(task)
        self.task = task
        sit(task, "a", 1)
        ask(task, 1, Change({"seats": 5, "first_holder": "vote"}), Watch("A"), Fill(None, "level4"), Start())
        await settle()
        while task.room.stage != "over":
            await before_each()
            assert self.clock.jump_to_next()
            await settle()
        await self.lobby.close()

    def _listen(self, task: RoomTask) -> None:
        usual = task.put

        def put(what: Input) -> None:
            if isinstance(what, BotAnswered):
                self.answered.append(self.clock.now())
            usual(what)

        task.put = put  # type: ignore[method-assign]


def _count(counter: Counter) -> float:
    samples = [sample for family in counter.collect() for sample in family.samples]
    return sum(sample.value for sample in samples if sample.name.endswith("_total"))


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_acts_go_before_words_and_what_is_wanted_first_before_the_rest() -> None:
    thinkers = Thinkers(0)
    words: Any = SimpleNamespace(at=(3, 9))
    later, soon, as_soon = (SimpleNamespace(at=at) for at in (9, 7, 7))
    thinkers.word(words)
    for act in (later, soon, as_soon):
        asked: Any = act
        thinkers.think(asked)
    order = [thinkers._waiting.get_nowait()[-1].ask for _ in range(4)]
    assert order == [soon, as_soon, later, words]
    await thinkers.close()


async def test_a_game_goes_on_where_an_ai_process_is_killed_and_each_acts_at_its_moment() -> None:
    thinkers = Watched(1)
    deaths, late = _count(metrics.AI_DEATHS), _count(metrics.AI_LATE)
    killed = list[int]()

    async def rest_and_kill() -> None:
        await thinkers.rest()
        child = thinkers.processes[0].child
        if child and len(thinkers.thoughts) > 8 and not killed:
            killed.append(child.pid)
            child.send_signal(signal.SIGKILL)
            await asyncio.to_thread(child.wait, PATIENCE)

    game = Watch5(thinkers)
    await game.play(rest_and_kill)
    child = thinkers.processes[0].child
    assert child and killed and child.pid != killed[0]
    assert _count(metrics.AI_DEATHS) == deaths + 1
    assert _count(metrics.AI_LATE) == late, "asked once more, in time"
    assert sorted(game.answered) == sorted(thought.ask.at for thought in thinkers.thoughts)
    await thinkers.close()
    assert not _is_there(child.pid)


async def test_ais_say_what_their_process_has_found_and_without_one_nothing() -> None:
    lines = list[int]()
    for count in (1, 0):
        thinkers = Watched(count)

        async def rest(thinkers: Watched = thinkers) -> None:
            if thinkers.processes:
                await thinkers.rest()
                async with asyncio.timeout(PATIENCE):
                    while thinkers.words and not (thinkers.words[-1].claims or thinkers.words[-1].is_over):  # noqa: ASYNC110
                        await asyncio.sleep(0.005)

        game = Watch5(thinkers)
        await game.play(rest)
        assert game.task
        said = list(game.task.room.conversation.claims())
        lines.append(len(said))
        assert all(line.member is None and line.claim for line in said)
        assert thinkers.words
        await thinkers.close()
    assert lines[0] > 0 and lines[1] == 0


async def test_where_no_thought_comes_in_time_habit_acts_at_the_same_moment() -> None:
    thinkers, late = Watched(0), _count(metrics.AI_LATE)

    async def nothing() -> None:
        """Nobody thinks."""

    game = Watch5(thinkers)
    await game.play(nothing)
    assert len(thinkers.thoughts) > 10
    assert sorted(game.answered) == sorted(thought.ask.at for thought in thinkers.thoughts)
    assert _count(metrics.AI_LATE) == late + len(thinkers.thoughts)


async def test_where_a_thought_is_late_a_habit_acts_that_asks_no_belief(monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers, asked = Watched(0), list[str]()

    class Hasty:
        def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
            return Skip()

    def hasty(level: str, character: object) -> Hasty:
        asked.append(level)
        return Hasty()

    await Watch5(thinkers).play(lambda: asyncio.sleep(0))
    ask = thinkers.thoughts[-1].ask
    monkeypatch.setattr(room_task, "bot_of", hasty)
    assert room_task._answer(ask, Thought(ask)).command == room_task._answer(ask, None).command == Skip()
    assert asked == [HABIT, "warden"]


async def test_a_process_answers_as_the_ai_would_here() -> None:
    thinkers = Watched(1)
    game = Watch5(thinkers)
    await game.play(thinkers.rest)
    for thought in thinkers.thoughts[::6]:
        asked, you = thought.ask, thought.ask.view.you
        reply = answer(Question(asked.level, asked.character, asked.view, asked.recollection, asked.seed))
        assert you and you.offer and reply.place is not None
        assert commands_of(offer_of(you.offer))[reply.place] == thought.found.result()
    await thinkers.close()


async def test_processes_that_die_again_and_again_are_not_started_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    thinkers, deaths = Watched(1), _count(metrics.AI_DEATHS)

    async def let_them_die() -> None:
        await asyncio.to_thread(lambda: None)

    game = Watch5(thinkers)
    await game.play(let_them_die)
    await thinkers.close()
    assert deaths < _count(metrics.AI_DEATHS) <= deaths + 6
