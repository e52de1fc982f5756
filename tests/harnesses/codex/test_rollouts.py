import json
import os
from pathlib import Path

import pytest

from hqt.harnesses.base import Elsewhere
from hqt.harnesses.codex import rollouts

ID = "01a2283b-a775-7780-ac16-eccdcc3a4efe"
CWD = Path("/home/user/proj")
META: dict[str, object] = {"id": ID, "cwd": str(CWD), "timestamp": "2026-11-29T16:55:27.866Z"}


def day(sessions: Path) -> Path:
    folder = sessions / "2026/11/29"
    folder.mkdir(parents=True)
    return folder


def written(sessions: Path, first: str) -> list[str]:
    (day(sessions) / f"rollout-2026-11-29T16-55-27-{ID}.jsonl").write_text(first)
    return [found.conversation for found in rollouts.of(sessions, CWD)]


def test_a_long_first_line_is_read_whole(tmp_path: Path) -> None:
    payload = {**META, "base_instructions": {"text": "x" * 100_000}}
    assert written(tmp_path, json.dumps({"type": "session_meta", "payload": payload}) + "\n{}\n") == [ID]


@pytest.mark.parametrize(
    "payload",
    [
        {**META, "cwd": "/home/user/other"},
        {**META, "id": "another"},
        {**META, "timestamp": "yesterday"},
        {**META, "timestamp": 1},
        {**META, "thread_source": "subagent"},
        [],
        None,
    ],
)
def test_a_rollout_that_says_something_else_is_passed_over(tmp_path: Path, payload: object) -> None:
    assert written(tmp_path, json.dumps({"type": "session_meta", "payload": payload})) == []


@pytest.mark.parametrize(
    "first", ["", "nul", "[]", "[" * 100_000, '{"type": "session_meta"}', "\0" * 300_000]
)
def test_garbage_is_passed_over(tmp_path: Path, first: str) -> None:
    assert written(tmp_path, first) == []


def test_links_pipes_and_folders_are_not_read(tmp_path: Path) -> None:
    meta = json.dumps({"type": "session_meta", "payload": META})
    (tmp_path / "real.jsonl").write_text(meta)
    sessions = tmp_path / "sessions"
    folder = day(sessions)
    name = f"rollout-{{}}-{ID}.jsonl"
    (folder / name.format("link")).symlink_to(tmp_path / "real.jsonl")
    (folder / name.format("folder")).mkdir()
    os.mkfifo(folder / name.format("pipe"))
    (sessions / "2027").symlink_to(sessions / "2026")
    assert list(rollouts.of(sessions, CWD)) == []
    assert not rollouts.exists(sessions, ID)


def test_only_whole_names_count(tmp_path: Path) -> None:
    folder = day(tmp_path)
    for name in (f"rollout-x-{ID}.jsonl.tmp", f"rollout-x-{ID[:-1]}.jsonl", f"{ID}.jsonl"):
        (folder / name).touch()
    assert not rollouts.exists(tmp_path, ID)
    (folder / f"rollout-x-{ID}.jsonl").touch()
    assert rollouts.exists(tmp_path, ID)


def test_only_folders_of_a_day_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "rollout-2026-11-29T16-55-27-{}.jsonl"
    ids = [f"{number:08}-1111-4111-8111-111111111111" for number in range(5)]
    folders = ["2026/11/01", "2026/11/02", "2026/11/03", "2026/11/more", "plenty/11/03"]
    for conversation, folder in zip(ids, folders, strict=True):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / name.format(conversation)).touch()
    monkeypatch.setattr(rollouts, "_FOLDERS_MAX", 2)
    assert [rollouts.exists(tmp_path, each) for each in ids] == [False, True, True, False, False]


def message(text: object, role: str = "user") -> dict[str, object]:
    content = [{"type": "input_text", "text": text}]
    return {"type": "response_item", "payload": {"type": "message", "role": role, "content": content}}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([message("fix it\nplease")], "fix it"),
        ([message("<environment_context>\n  <cwd>/p"), message("fix it")], "fix it"),
        ([message("# AGENTS.md instructions for /p"), message("fix it"), message("more")], "fix it"),
        ([message("be brief", role="developer"), message("fix it")], "fix it"),
        ([message("x" * 1000)], "x" * 500),
        (
            [message(5), {"payload": None}, {"payload": {"type": "message", "role": "user", "content": 5}}],
            None,
        ),
        ([], None),
    ],
)
def test_a_conversation_is_told_by_the_first_line_that_was_said(
    tmp_path: Path, lines: list[object], said: str | None
) -> None:
    first = {"type": "session_meta", "payload": META}
    path = day(tmp_path) / f"rollout-2026-11-29T16-55-27-{ID}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)) + "{")
    assert list(rollouts.told(tmp_path, CWD)) == [Elsewhere(ID, 1795971327.866, said)]
    assert list(rollouts.told(tmp_path, CWD.parent)) == []
