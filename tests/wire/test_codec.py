"""Messages as bytes: what is sent is what the types say, and what is no message is refused."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from cinderforge.room.inputs import Fill, Move, Start, Watch, Wish
from cinderforge.room.outputs import Tell
from cinderforge.testkit.hosting import Hosting
from cinderforge.wire import codec
from cinderforge.wire import messages as w


def _told() -> list[Tell]:
    """What two sockets were told last, in a room whose game has begun."""
    hosting = Hosting()
    host, guest = hosting.arrive("host"), hosting.arrive("guest")
    hosting.ask(guest, Watch("Guest"))
    hosting.ask(host, Fill(None, "dice"))
    hosting.ask(host, Start())
    hosting.clock.pass_time(60_000)
    return [hosting.seen[host].last, hosting.seen[guest].last]


def test_an_update_is_encoded_as_its_type_says() -> None:
    tells = _told()
    assert tells[0].player, "the host plays"
    for tell, (socket, sent) in zip(tells, codec.encode_tells(tells, 5), strict=True):
        plain = w.Update(
            now=5,
            room=tell.room,
            table=tell.table,
            you=w.You(tell.member, tell.player),
            game=tell.game,
            heard=tell.heard,
            fresh=tell.fresh,
            news=list(tell.news),
        )
        assert socket == tell.socket
        assert sent == codec.encode(plain)


def test_the_inner_update_has_the_fields_of_the_outer_in_their_order() -> None:
    assert codec._Update.__struct_fields__ == w.Update.__struct_fields__


def test_every_message_but_the_greetings_is_a_wish_of_its_name_or_a_move() -> None:
    wishes = set()
    for kind in get_args(w.FromClient):
        said = codec.decode(msgspec.json.encode({"t": kind.__struct_config__.tag, **_FIELDS.get(kind, {"id": "1"})}))
        wish = codec.wish_of(said)
        if kind in (w.Hello, w.Ping):
            assert wish is None
        else:
            assert wish is not None
            assert wish[0] == "1"
            assert type(wish[1]).__name__ in (kind.__name__, Move.__name__)
            wishes.add(type(wish[1]))
    assert wishes == set(get_args(Wish))


_FIELDS: dict[type, dict[str, object]] = {
    w.Hello: {"protocol": w.PROTOCOL},
    w.Ping: {"n": 1},
    **{kind: {"id": "1", "name": "Ann"} for kind in (w.Join, w.Watch, w.WantSeat, w.Rename)},
    **{kind: {"id": "1", "member": 2} for kind in (w.Kick, w.LetBack, w.HandOn, w.Mute, w.Admit)},
    w.Change: {"id": "1", "settings": {}},
    w.Ready: {"id": "1", "ready": True},
    w.Poll: {"id": "1", "poll": "pause"},
    w.Say: {"id": "1", "text": "?"},
    w.Phrase: {"id": "1", "phrase": "hello"},
    w.Report: {"id": "1", "member": 2, "text": ""},
    w.MakeClaim: {"id": "1", "claim": {"claim": "suspect", "turn": 2}},
    w.Mark: {"id": "1", "turn": 2},
    w.Note: {"id": "1", "text": ""},
    w.Contribute: {"id": "1", "bytes": "00"},
    w.Vote: {"id": "1", "target": None},
    w.Pass: {"id": "1", "to": 2},
    w.Targets: {"id": "1", "targets": [2]},
    w.PickCard: {"id": "1", "position": 1},
    w.Play: {"id": "1", "card": "blank"},
}


@pytest.mark.parametrize(
    "nonsense",
    [b"", b"[]", b"{}", b'{"t":"update"}', b'{"t":"skip"}', b'{"t":"skip","id":"1","turn":3}', b'{"t":"skip","id":""}'],
)
def test_what_is_no_message_is_refused(nonsense: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        codec.decode(nonsense)
