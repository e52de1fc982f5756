import json
import os
from pathlib import Path

import pytest

from hqt.errors import HarnessError
from hqt.harnesses import transcripts
from hqt.harnesses.base import Elsewhere, Found
from hqt.harnesses.claude import transcripts as claude_transcripts

LONG = Path("/var/tmp/hqt-harn") / ('aé_. 日本"x' * 14) / ("b_" * 60)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/u/my project", "-home-u-my-project"),
        ("/home/u/a_b", "-home-u-a-b"),
        ("/home/u/.hid", "-home-u--hid"),
        ("/home/u/ünï 日本", "-home-u--n----"),
        ("/home/u/-lead", "-home-u--lead"),
        ("/home/u/n\"\n'", "-home-u-n---"),
        ("/home/u/sn😀w", "-home-u-sn--w"),  # two UTF-16 units, as claude counts
    ],
)
def test_the_slug_has_a_dash_for_all_but_letters_and_digits(folder: str, name: str) -> None:
    assert claude_transcripts.slug(Path(folder)) == name


def test_a_long_slug_is_cut_and_ends_in_claudes_hash() -> None:
    # seen with claude 2.1.197
    name = "-var-tmp-hqt-harn-" + "a-------x" * 14 + "-" + "b-" * 60
    assert claude_transcripts.slug(LONG) == f"{name[:200]}-dt6t2q"


def test_an_id_that_leads_elsewhere_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "projects/a").mkdir(parents=True)
    (tmp_path / "out.jsonl").touch()
    assert list(claude_transcripts.found(tmp_path / "projects", "../../out")) == []


def test_a_link_is_no_transcript(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "secret").touch()
    (tmp_path / "a/x.jsonl").symlink_to(tmp_path / "secret")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert list(claude_transcripts.found(tmp_path, "x")) == []


def test_a_conversation_that_is_there_already_is_kept(tmp_path: Path) -> None:
    for name in ("-old", "-new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.jsonl").write_text(name)
    claude_transcripts.follow(tmp_path, "x", Path("/old"), Path("/new"))
    assert [path.read_text() for path in sorted(tmp_path.glob("-new/*"))] == ["-new"]


def test_nothing_is_copied_through_a_planted_link(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    (projects / "-old").mkdir(parents=True)
    (projects / "-old/x.jsonl").touch()
    (tmp_path / "elsewhere").mkdir()
    (projects / "-new").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HarnessError, match="can't be copied to"):
        claude_transcripts.follow(projects, "x", Path("/old"), Path("/new"))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_conversation_without_a_transcript_moves_without_a_word(tmp_path: Path) -> None:
    claude_transcripts.follow(tmp_path, "x", Path("/old"), Path("/new"))
    assert list(tmp_path.iterdir()) == []


SAID = {"type": "user", "sessionId": "x", "cwd": "/p", "timestamp": "2026-11-29T19:56:20.286Z"}


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(SAID | {"cwd": "/q"}),
        json.dumps(SAID | {"sessionId": "y"}),
        json.dumps(SAID | {"type": "mode"}),
        json.dumps(SAID | {"timestamp": "soon"}),
        json.dumps(SAID | {"timestamp": 5}),
        json.dumps([SAID]),
        "[" * 100_000,
        "\0",
        "",
    ],
)
def test_a_transcript_that_does_not_name_its_folder_is_not_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "-p").mkdir()
    (tmp_path / "-p/x.jsonl").write_text(line + "\n")
    assert claude_transcripts.named(tmp_path, "x", Path("/p")) is None


def test_the_first_message_tells_when_a_conversation_began(tmp_path: Path) -> None:
    (tmp_path / "-p").mkdir()
    later = SAID | {"timestamp": "2026-11-29T20:00:00Z"}
    path = tmp_path / "-p/x.jsonl"
    path.write_text("\n".join(map(json.dumps, ({"type": "mode"}, SAID, later))))
    assert claude_transcripts.named(tmp_path, "x", Path("/p")) == Found("x", 1795982180.286, path)


ID, BORN = "22222222-2222-4222-8222-222222222222", 1795982180.286


def talked(folder: Path, *lines: object, conversation: str = ID) -> Path:
    """A transcript of `/p`, whose messages are these."""
    path = folder / f"-p/{conversation}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def said(content: object, **more: object) -> dict[str, object]:
    return {**SAID, "sessionId": ID, "message": {"role": "user", "content": content}, **more}


def told(folder: Path) -> list[Elsewhere]:
    return list(claude_transcripts.of(folder, Path("/p")))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("fix it", "fix it"),
        ("\n\n  fix it \nand that", "fix it"),
        ([{"type": "text", "text": "fix it"}], "fix it"),
        ([{"type": "image"}, {"type": "text", "text": "what is it"}], "what is it"),
        ("x" * 10_000, "x" * 500),
        ("<b>bold</b>", "<b>bold</b>"),
        ("<command-name>/clear</command-name>", None),
        ([], None),
        (["fix it"], None),
        (5, None),
        (None, None),
    ],
)
def test_a_conversation_is_told_by_the_first_line_that_was_said(
    tmp_path: Path, content: object, line: str | None
) -> None:
    talked(tmp_path, said(content))
    assert told(tmp_path) == [Elsewhere(ID, BORN, line)]


def test_what_claude_added_was_said_by_nobody(tmp_path: Path) -> None:
    caveat = said("Caveat: the messages below", isMeta=True)
    command = said("<command-name>/clear</command-name>")
    talked(tmp_path, {"type": "mode"}, caveat, command, said("fix it"), said("more"))
    assert told(tmp_path) == [Elsewhere(ID, BORN, "fix it")]


def test_what_was_begun_elsewhere_or_by_nobody_is_left_out(tmp_path: Path) -> None:
    talked(tmp_path, said("fix it", cwd="/q"))
    assert told(tmp_path) == []
    talked(tmp_path, {"type": "mode"})
    assert told(tmp_path) == []


def test_a_name_that_is_no_id_is_never_handed_on(tmp_path: Path) -> None:
    for name in ("--settings", "x", "agent-1", f"{ID}x"):
        talked(tmp_path, said("fix it", sessionId=name), conversation=name)
    os.mkfifo(tmp_path / f"-p/{ID}.jsonl")
    assert told(tmp_path) == []


def test_those_that_changed_last_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude_transcripts, "_READ_MAX", 2)
    ids = [ID[:-1] + end for end in "012"]
    for at, each in enumerate(ids):
        path = talked(tmp_path, said("fix it", sessionId=each), conversation=each)
        os.utime(path, (at, at))
    assert [each.conversation for each in told(tmp_path)] == [ids[2], ids[1]]


def test_of_a_transcript_little_is_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-p").mkdir()
    path = tmp_path / "-p/x.jsonl"
    path.write_text("\n" * 100_000 + json.dumps(SAID))
    monkeypatch.setattr(transcripts, "_LINES_MAX", 3)
    assert claude_transcripts.named(tmp_path, "x", Path("/p")) is None
    path.write_text("\n" * 2 + json.dumps(SAID) + "\n" * 100_000)
    assert claude_transcripts.named(tmp_path, "x", Path("/p")) == Found("x", BORN, path)
