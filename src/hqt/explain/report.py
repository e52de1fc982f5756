"""An explanation and an answer as lines for people and as values for JSON."""

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hqt.explain.explain import Explanation, Row
from hqt.explain.why import Answer
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.bwrap import Layer
from hqt.values import as_dict, field_names, frozen

Literally = Callable[[str], str]  # writes out what a terminal could act on

_MANY = 8  # paths in one folder that are told by their number
_INDENT = "  "
_GAP = "  "
_WIDTH_MIN = 20  # of the last column
_NUMBERED = re.compile(r"\d+$")


def lines(found: Explanation, columns: int, literal: Literally) -> list[str]:
    """The explanation, no line wider than `columns` but for a path that is."""
    return list(_Teller(columns, literal, found.home).explanation(found))


def answer_lines(found: Answer, columns: int, literal: Literally) -> list[str]:
    """The answer in the same way; its last line says what to do where something is in the way."""
    return list(_Teller(columns, literal).answer(found))


def explanation_json(found: Explanation) -> dict[str, object]:
    """The explanation's own fields; paths as text, variables by name."""
    return {name: _plain(getattr(found, name)) for name in _names(found)}


def answer_json(found: Answer) -> dict[str, object]:
    return {name: _plain(getattr(found, name)) for name in _names(found)}


@frozen
class _Teller:
    columns: int
    literal: Literally
    home: Path | None = None  # told as ~; None: paths are told whole

    def explanation(self, found: Explanation) -> Iterator[str]:
        where = f"{found.harness} in {self._path(found.project)}"
        yield from self._sentence(
            "", f"{self.literal(found.subject)}: {where}, {_policy_words(found.sandbox)}"
        )
        if found.sandbox is None:
            yield from self._sentence(
                "",
                "There is no jail. The agent sees and writes all that you can, has the variables of the shell"
                " that starts it, and the network.",
            )
            yield from self._bullets("Notes at the start", found.notes)
            return
        yield from self._paths("Writable, kept", found.writes)
        yield from self._paths("Writable, discarded at the end", found.fresh)
        yield from self._paths("Read-only", found.reads)
        yield from self._paths("Hidden", found.hidden)
        yield from self._table(
            "Variables that enter, by name",
            [
                ("from your shell", _short(found.variables.passed)),
                ("set by hqt", _short(found.variables.set)),
            ],
        )
        yield from self._bullets(f"Network: {'on' if found.network.on else 'off'}", found.network.means)
        yield from self._layers(found.layers)
        yield from self._bullets("Notes at the start", found.notes)
        yield from self._bullets("What does not work inside", found.lacks)
        yield from self._bullets("What remains possible", found.remains)

    def answer(self, found: Answer) -> Iterator[str]:
        rows = [("path", self._path(found.path)), ("visible", _seen_words(found))]
        rows += [
            ("writable", "yes" if found.writable else "no"),
            ("rule", found.rule),
            ("why", self.literal(found.why)),
        ]
        if found.also is not None:
            rows.append(("seen as", self._path(found.also)))
        if found.advice is not None:
            rows.append(("to do", self.literal(found.advice)))
        for name, text in rows:
            yield from self._sentence(f"{name:8}{_GAP}", text)

    def _paths(self, head: str, rows: Sequence[Row]) -> Iterator[str]:
        return self._table(head, [(row.what, self._places(row.paths)) for row in rows])

    def _table(self, head: str, rows: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
        filled = [(what, words) for what, words in rows if words]
        if not filled:
            return
        yield from ("", head)
        size = max(len(what) for what, _ in filled)
        for what, words in filled:
            yield from self._filled(f"{_INDENT}{what:{size}}{_GAP}", words)

    def _filled(self, head: str, words: Sequence[str]) -> Iterator[str]:
        """The words in lines, none of them broken."""
        line = head + words[0]
        for word in words[1:]:
            if len(line) + len(_GAP) + len(word) > max(self.columns, len(head) + _WIDTH_MIN):
                yield line
                line = " " * len(head) + word
            else:
                line += _GAP + word
        yield line

    def _layers(self, layers: Sequence[Layer]) -> Iterator[str]:
        yield from ("", "Layers")
        for layer in layers:
            text = layer.name if layer.active else f"{layer.name}: {layer.why_not}"
            yield from self._sentence(f"{_INDENT}{'on' if layer.active else 'off':3}{_GAP}", text)

    def _bullets(self, head: str, sentences: Sequence[str]) -> Iterator[str]:
        if sentences:
            yield from ("", head)
        for sentence in sentences:
            yield from self._sentence(f"{_INDENT}- ", self.literal(sentence))

    def _sentence(self, head: str, text: str) -> Iterator[str]:
        yield from textwrap.wrap(
            text,
            width=max(self.columns, len(head) + _WIDTH_MIN),
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _places(self, paths: Sequence[Path]) -> list[str]:
        """Each path short; the many of one folder by their number."""
        counts: dict[Path, int] = {}
        for path in paths:
            counts[path.parent] = counts.get(path.parent, 0) + 1
        told: dict[str, None] = {}
        for path in paths:
            number = counts[path.parent]
            many = number > _MANY and path.parent not in (self.home, Path("/"))
            told[f"{self._path(path.parent)}/* ({number} entries)" if many else self._path(path)] = None
        return list(told)

    def _path(self, path: Path) -> str:
        if self.home is not None and path.is_relative_to(self.home):
            return self.literal(str(Path("~", path.relative_to(self.home))))
        return self.literal(str(path))


def _policy_words(policy: SandboxPolicy | None) -> str:
    if policy is None:
        return "open"
    project = "project written" if policy.fs == "rw" else "project read-only"
    return f"{project}, network {'on' if policy.net else 'off'}"


def _seen_words(found: Answer) -> str:
    if found.visible:
        return "yes" if found.exists else "once it exists: nothing is there now"
    return "no" if found.exists else "no, and nothing is there"


def _short(names: Sequence[str]) -> list[str]:
    """The names, numbered ones such as git's as one."""
    return list(dict.fromkeys(_NUMBERED.sub("*", name) for name in names))


def _names(found: Explanation | Answer) -> list[str]:
    return list(field_names(found))


def _plain(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if field_names(value):
        return {name: _plain(each) for name, each in as_dict(value).items()}
    return value
