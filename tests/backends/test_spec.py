"""The launch spec is read back by the launcher as it was asked for."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.backends.base import Size, SpawnRequest
from hqt.backends.spec import spec_text
from hqt.launch import Spec
from hqt.sandbox.policy import Copy

# what a path, an argument or a variable of a process can hold: any bytes but NUL
WORDS = st.binary(min_size=1).filter(lambda word: b"\0" not in word).map(os.fsdecode)


@given(
    argv=st.lists(WORDS, min_size=1).map(tuple),
    env=st.dictionaries(WORDS, WORDS),
    contents=st.lists(st.binary()),
    jailed=st.booleans(),
    umask=st.integers(0, 0o777),
)
def test_the_launcher_reads_what_was_asked(
    argv: tuple[str, ...], env: dict[str, str], contents: list[bytes], jailed: bool, umask: int
) -> None:
    request = SpawnRequest(
        key="0000000a",
        title="t",
        argv=argv,
        cwd=Path("/a b"),
        env=env,
        copies=tuple(Copy(Path("/x"), content) for content in contents),
        status=Path("/s"),
        jailed=jailed,
        umask=umask,
        size=Size(80, 24),
    )
    spec = Spec(spec_text(request).encode("ascii"))
    assert (spec.argv, spec.env, spec.copies) == (list(argv), env, contents)
    assert (spec.cwd, spec.status, spec.jailed, spec.umask) == ("/a b", "/s", jailed, umask)
