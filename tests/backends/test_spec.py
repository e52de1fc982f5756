"""The launch spec is read back by the launcher as it was asked for."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.backends.base import Seal, Size, Source, SpawnRequest
from hqt.backends.spec import spec_text
from hqt.launch import Spec
from hqt.sandbox.policy import Copy

# what a path, an argument or a variable of a process can hold: any bytes but NUL
WORDS = st.binary(min_size=1).filter(lambda word: b"\0" not in word).map(os.fsdecode)
NAMES = WORDS.filter(lambda word: "=" not in word)

SOURCES = st.builds(Source, WORDS.map(Path), device=st.integers(0), inode=st.integers(0))
SEALS = st.builds(Seal, st.binary(min_size=1), st.booleans(), st.lists(SOURCES).map(tuple))


@given(
    argv=st.lists(WORDS, min_size=1).map(tuple),
    env=st.dictionaries(NAMES, WORDS),
    contents=st.lists(st.binary()),
    seal=st.none() | SEALS,
    umask=st.integers(0, 0o777),
)
def test_the_launcher_reads_what_was_asked(
    argv: tuple[str, ...], env: dict[str, str], contents: list[bytes], seal: Seal | None, umask: int
) -> None:
    request = SpawnRequest(
        key="0000000a",
        title="t",
        jail="OPEN",
        argv=argv,
        cwd=Path("/a b"),
        env=env,
        copies=tuple(Copy(Path("/x"), content) for content in contents),
        status=Path("/s"),
        seal=seal,
        umask=umask,
        size=Size(80, 24),
    )
    spec = Spec(spec_text(request).encode("ascii"))
    assert (spec.argv, spec.env, spec.copies) == (list(argv), env, contents)
    assert (spec.cwd, spec.status, spec.umask) == ("/a b", "/s", umask)
    assert _read_back(spec) == seal


def _read_back(spec: Spec) -> Seal | None:
    if spec.seal is None:
        return None
    sources = tuple(Source(Path(path), device, inode) for path, device, inode in spec.seal.sources)
    return Seal(spec.seal.filter, spec.seal.scopes, sources)
