"""Reads scenario files. Whatever is not as docs/formats.md says is an error of the file, with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from cinderforge.rules.rejection import Code
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import MAX_SEATS, MIN_SEATS, BadSettings, Settings, hand_of, settings_from
from cinderforge.rules.words import Card, Role, ScrollId

VERBS: Final[dict[str, tuple[int, int]]] = {
    "vote": (1, 1),
    "pass": (1, 1),
    "scroll": (0, 9),
    "choose": (1, 1),
    "play": (1, 1),
    "skip": (0, 0),
    "timeout": (0, 0),
}
"""Verb → fewest and most arguments."""

CODES: Final = tuple(code.value for code in Code)
EXPECT_KEYS: Final = (
    *("phase", "round", "holder", "to_act", "order", "legal", "shown", "sources", "activated", "slain"),
    *("sage_activated", "sage_slain", "hand", "fired", "winner", "reason", "sees"),
)
SEES_KEYS: Final = ("hand_sizes", "night_set", "knows_role", "knows_card", "own_hand")
SPECTATOR_NAME: Final = "spectator"
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")
_BY_PLAYER: Final = ("hand", "legal", "sees")


class BadScenario(ValueError):
    """A file that is no scenario: which file and line, what was expected, what was found."""

    def __init__(self, file: str, line: int, expected: str, found: object) -> None:
        self.file, self.line, self.expected, self.found = file, line, expected, found
        super().__init__(f"{file}:{line}: expected {expected}, found {found}")


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the file, in turn order."""

    name: str
    role: Role
    hand: tuple[Card, ...]
    scroll: ScrollId


@dataclass(frozen=True, slots=True)
class MoveStep:
    """`X verb arguments`."""

    line: int
    player: str
    verb: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.player, self.verb, *self.arguments))


@dataclass(frozen=True, slots=True)
class NightOverStep:
    line: int


@dataclass(frozen=True, slots=True)
class RejectStep:
    line: int
    move: MoveStep | NightOverStep
    code: str


@dataclass(frozen=True, slots=True)
class AutoSkipStep:
    line: int


@dataclass(frozen=True, slots=True)
class Expectation:
    """One key of an `expect`, at its own line."""

    line: int
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class ExpectStep:
    line: int
    expectations: tuple[Expectation, ...]


Step = MoveStep | NightOverStep | RejectStep | AutoSkipStep | ExpectStep


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file, read. `first` is the name of the first holder, if given."""

    file: str
    title: str
    settings: Settings
    players: tuple[Person, ...]
    first: str | None
    steps: tuple[Step, ...]


def parse(path: str | Path) -> Scenario:
    """The scenario in a file. Raises BadScenario."""
    file = str(path)
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise BadScenario(file, 0, "a file that can be read", error.strerror) from None
    except UnicodeDecodeError as error:
        raise BadScenario(file, 0, "text in UTF-8", str(error)) from None
    return parse_text(text, file)


def parse_text(text: str, file: str = "scenario") -> Scenario:
    """The scenario in a text. Raises BadScenario."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        raise BadScenario(file, line, "YAML", getattr(error, "problem", None) or str(error)) from None
    return _Reader(file).scenario(node)


class _Reader:
    """Walks the nodes of one file, so that each error knows its line."""

    def __init__(self, file: str) -> None:
        self.file = file

    def scenario(self, node: yaml.Node | None) -> Scenario:
        if node is None:
            raise BadScenario(self.file, 1, "a scenario", "an empty file")
        top = self.mapping(node, ("title", "settings", "players", "first", "steps"), ("title", "players", "steps"))
        players = self.players(top["players"])
        settings = self.settings(top.get("settings"), len(players), node)
        names = [player.name for player in players]
        first = None
        if "first" in top:
            first = self.text(top["first"], "the name of a player")
            if first not in names:
                raise self.bad(top["first"], f"a player: {', '.join(names)}", first)
        return Scenario(
            file=self.file,
            title=self.text(top["title"], "a title"),
            settings=settings,
            players=players,
            first=first,
            steps=tuple(self.step(step) for step in self.sequence(top["steps"], "a list of steps")),
        )

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def bad(self, node: yaml.Node, expected: str, found: object) -> BadScenario:
        return BadScenario(self.file, self.line(node), expected, found)

    def line(self, node: yaml.Node) -> int:
        return int(node.start_mark.line) + 1

    def plain(self, node: yaml.Node) -> Any:
        """The plain value of a node."""
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(node) if _is_whole(node) else None
        except (yaml.YAMLError, ValueError, TypeError) as error:
            raise self.bad(node, "a plain value", error) from None
        finally:
            loader.dispose()

    def mapping(self, node: yaml.Node, allowed: tuple[str, ...], needed: tuple[str, ...] = ()) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            raise self.bad(node, f"a map with {', '.join(allowed)}", _kind(node))
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if name not in allowed:
                raise self.bad(key, f"one of {', '.join(allowed)}", name)
            if name in found:
                raise self.bad(key, f"{name} once", f"{name} twice")
            found[name] = value
        for name in needed:
            if name not in found:
                raise self.bad(node, name, "nothing")
        return found

    def sequence(self, node: yaml.Node, what: str) -> list[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode):
            raise self.bad(node, what, _kind(node))
        return list(node.value)

    def text(self, node: yaml.Node, what: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            raise self.bad(node, what, _kind(node))
        return str(node.value)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def settings(self, node: yaml.Node | None, count: int, top: yaml.Node) -> Settings:
        given: dict[str, Any] = {}
        lines: dict[str, yaml.Node] = {}
        if node is not None:
            lines = self.mapping(node, tuple(Settings.__dataclass_fields__))
            given = {key: self.plain(value) for key, value in lines.items()}
        if type(given.get("seats", count)) is not int or given.get("seats", count) != count:
            raise self.bad(lines["seats"], f"seats: {count}, as there are players", given["seats"])
        try:
            return settings_from(given | {"seats": count}, odd_deals=True)
        except BadSettings as bad:
            raise self.bad(lines.get(bad.key, top), f"{bad.key}: {bad.allowed}", bad.found) from None

    def players(self, node: yaml.Node) -> tuple[Person, ...]:
        rows = self.sequence(node, "a list of players")
        if not MIN_SEATS <= len(rows) <= MAX_SEATS:
            raise self.bad(node, f"{MIN_SEATS} to {MAX_SEATS} players", len(rows))
        read = [self.mapping(row, ("name", "role", "hand", "scroll"), ("name", "role")) for row in rows]
        names: list[str] = []
        named: dict[int, ScrollId] = {}
        for at, row in enumerate(read):
            names.append(self.name(row["name"], names))
            if "scroll" in row:
                named[at] = self.scroll(row["scroll"], list(named.values()))
        unnamed = iter([scroll for scroll in CATALOG if scroll not in named.values()])
        return tuple(
            Person(names[at], self.role(row["role"]), self.hand(row), named.get(at) or next(unnamed))
            for at, row in enumerate(read)
        )

    def name(self, node: yaml.Node, others: list[str]) -> str:
        name = self.text(node, "a name")
        if len(name.split()) != 1 or name != name.strip() or name == SPECTATOR_NAME:
            raise self.bad(node, f"a name without spaces, other than {SPECTATOR_NAME}", name)
        if name in others:
            raise self.bad(node, "a name that no other player has", name)
        return name

    def role(self, node: yaml.Node) -> Role:
        value = self.text(node, "a role")
        if value not in tuple(Role):
            raise self.bad(node, f"a role: {', '.join(Role)}", value)
        return Role(value)

    def scroll(self, node: yaml.Node, others: list[ScrollId]) -> ScrollId:
        value = ScrollId(self.text(node, "a scroll"))
        if value not in CATALOG:
            raise self.bad(node, f"a scroll: {', '.join(CATALOG)}", value)
        if value in others:
            raise self.bad(node, "a scroll that no other player has", value)
        return value

    def hand(self, row: Mapping[str, yaml.Node]) -> tuple[Card, ...]:
        if "hand" not in row:
            return hand_of(self.role(row["role"]))
        return tuple(self.card(node) for node in self.sequence(row["hand"], "a list of cards"))

    def card(self, node: yaml.Node) -> Card:
        value = self.text(node, "a card")
        if value not in tuple(Card):
            raise self.bad(node, f"a card: {', '.join(Card)}", value)
        return Card(value)

    # -- steps ---------------------------------------------------------------------------------------------------------

    def step(self, node: yaml.Node) -> Step:
        if isinstance(node, yaml.ScalarNode):
            return self.move(node)
        step = self.mapping(node, ("expect", "reject", "auto"))
        if len(step) != 1:
            raise self.bad(node, "one of expect, reject, auto", len(step))
        line = self.line(node)
        if "auto" in step:
            if self.text(step["auto"], "skip") != "skip":
                raise self.bad(step["auto"], "auto: skip", self.text(step["auto"], "skip"))
            return AutoSkipStep(line)
        if "reject" in step:
            parts = self.mapping(step["reject"], ("move", "code"), ("move", "code"))
            code = self.text(parts["code"], "a code")
            if code not in CODES:
                raise self.bad(parts["code"], f"a code: {', '.join(CODES)}", code)
            return RejectStep(line, self.move(parts["move"]), code)
        return self.expect(step["expect"], line)

    def move(self, node: yaml.Node) -> MoveStep | NightOverStep:
        words = self.text(node, "a move: player, verb, arguments").split()
        if words == ["night", "over"]:
            return NightOverStep(self.line(node))
        if len(words) < 2:
            raise self.bad(node, "a move: player, verb, arguments", " ".join(words))
        player, verb, *arguments = words
        if verb not in VERBS:
            raise self.bad(node, f"a verb: {', '.join(VERBS)}", verb)
        least, most = VERBS[verb]
        if not least <= len(arguments) <= most:
            count = str(least) if least == most else f"{least} to {most}"
            raise self.bad(node, f"{count} argument(s) for {verb}", len(arguments))
        if verb == "choose" and not _WHOLE.fullmatch(arguments[0]):
            raise self.bad(node, "a whole number for choose", arguments[0])
        return MoveStep(self.line(node), player, verb, tuple(arguments))

    def expect(self, node: yaml.Node, line: int) -> ExpectStep:
        keys = self.mapping(node, tuple(EXPECT_KEYS))
        if not keys:
            raise self.bad(node, f"some of {', '.join(EXPECT_KEYS)}", "nothing")
        for key in _BY_PLAYER:
            if key in keys:
                self.by_player(key, keys[key])
        return ExpectStep(
            line, tuple(Expectation(self.line(value), key, self.plain(value)) for key, value in keys.items())
        )

    def by_player(self, key: str, node: yaml.Node) -> None:
        """A map by player: to lists of words, or for `sees` to maps of what they see."""
        for value in self.entries(node, f"{key}: a map by player").values():
            if key != "sees":
                self.sequence(value, f"{key}: a list for each player")
                continue
            for seen, part in self.mapping(value, SEES_KEYS).items():
                if seen in ("hand_sizes", "knows_role"):
                    self.entries(part, f"{seen}: a map by player")

    def entries(self, node: yaml.Node, what: str) -> dict[str, yaml.Node]:
        """A map with any keys, each once."""
        if not isinstance(node, yaml.MappingNode):
            raise self.bad(node, what, _kind(node))
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self.text(key, what)
            if name in found:
                raise self.bad(key, f"{name} once", f"{name} twice")
            found[name] = value
        return found


def _is_whole(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode | yaml.SequenceNode | yaml.MappingNode)


def _kind(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return repr(node.value) if node.value else "nothing"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a map"
