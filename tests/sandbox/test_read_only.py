"""What stays read-only below a writable folder can't be had by a rename of what holds it."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.sandbox.policy import Bind
from hqt.sandbox.read_only import read_only_binds

ROOT = Path("/p")
_names = st.sampled_from("abc")
_paths = st.lists(
    st.lists(_names, min_size=1, max_size=4).map(lambda parts: ROOT.joinpath(*parts)), max_size=8
)


def _read_only(path: str) -> Bind:
    return Bind(Path(path), dst=Path(path))


def _held(path: str) -> Bind:
    return Bind(Path(path), writable=True, dst=Path(path))


def test_each_folder_between_is_a_mount_of_its_own() -> None:
    assert read_only_binds(ROOT, [Path("/p/a/b/c"), Path("/p/d")]) == (
        _held("/p/a"),
        _held("/p/a/b"),
        _read_only("/p/a/b/c"),
        _read_only("/p/d"),
    )


def test_what_lies_in_a_read_only_folder_needs_no_mount() -> None:
    assert read_only_binds(ROOT, [Path("/p/a"), Path("/p/a/b/c")], [Path("/p/a/b")]) == (_read_only("/p/a"),)


def test_the_folder_itself_and_what_lies_outside_need_none() -> None:
    assert read_only_binds(ROOT, [ROOT, Path("/q/a"), Path("/")], [ROOT, Path("/q")]) == ()


def test_a_parent_is_held_though_nothing_in_it_is_read_only() -> None:
    assert read_only_binds(ROOT, [], [Path("/p/a/b")]) == (_held("/p/a"), _held("/p/a/b"))


@given(_paths, _paths)
def test_everything_asked_for_is_read_only_and_no_folder_above_it_can_be_renamed(
    read_only: list[Path], parents: list[Path]
) -> None:
    binds = read_only_binds(ROOT, read_only, parents)
    order = [bind.inside for bind in binds]
    sealed = {bind.inside for bind in binds if not bind.writable}
    held = {bind.inside for bind in binds if bind.writable}
    assert len(set(order)) == len(order)
    for path in read_only:
        assert path in sealed or sealed & set(path.parents)
    for path in sealed | held:
        above = {each for each in path.parents if ROOT in each.parents}
        assert above <= held
        assert all(order.index(each) < order.index(path) for each in above)
    assert not any(sealed & set(path.parents) for path in (*sealed, *held))
    assert all(bind.src == bind.inside for bind in binds)
