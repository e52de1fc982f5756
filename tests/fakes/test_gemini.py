"""The fake speaks the Gemini API."""

from tests.fakes.gemini import answer, printed, read_talk
from tests.fakes.http import Json, Object, Reply, Request
from tests.fakes.script import Talk

TOOLS: Json = [{"functionDeclarations": [{"name": "run_shell_command"}, {"name": "write_file"}]}]
STREAM = "/v1beta/models/m:streamGenerateContent"
USAGE: Object = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


def _said(*parts: Json, role: str = "user") -> Object:
    return {"role": role, "parts": list(parts)}


def _ask(prompt: str, path: str = STREAM, **body: Json) -> Reply:
    contents: Json = [_said({"text": prompt})]
    return answer(Request("POST", path, {"contents": contents, **body}, "right"))


def _whole(part: Object) -> Object:
    content: Object = {"role": "model", "parts": [part]}
    return {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "usageMetadata": USAGE,
    }


def test_a_conversation_is_read_whole() -> None:
    report = "<untrusted_context>\nOutput: a\nProcess Group PGID: 12\n</untrusted_context>"
    contents: Json = [
        _said({"text": "<session_context>\nThis is the Gemini CLI."}),
        _said({"text": "first"}),
        _said({"text": "FAKE-OK: first"}, role="model"),
        _said({"text": "%bash ls"}),
        _said({"functionCall": {"name": "run_shell_command", "args": {}}}, role="model"),
        _said({"functionResponse": {"name": "run_shell_command", "response": {"output": report}}}),
        _said({"functionResponse": {"name": "write_file", "response": {"error": "refused"}}}),
    ]
    assert read_talk({"contents": contents}) == Talk("%bash ls", earlier=("first",), results=("a", "refused"))


def test_a_report_is_known_by_what_stands_after_its_output() -> None:
    assert printed("Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 0") == "a\nb"
    assert printed("File written.") == "File written."


def test_a_call_is_streamed_whole() -> None:
    args: Object = {"command": "ls", "description": "fake step"}
    call: Object = {"functionCall": {"name": "run_shell_command", "args": args}}
    assert _ask("%bash ls", tools=TOOLS) == Reply(events=(_whole(call),))


def test_a_file_is_written_by_its_own_tool() -> None:
    args: Object = {"file_path": "/p/x", "content": "written by the fake model\n"}
    call: Object = {"functionCall": {"name": "write_file", "args": args}}
    assert _ask("%write /p/x", tools=TOOLS) == Reply(events=(_whole(call),))


def test_without_a_stream_the_same_comes_as_one_value() -> None:
    found = _ask("hi", "/v1beta/models/m:generateContent", tools=TOOLS)
    assert found == Reply(_whole({"text": "FAKE-OK: hi"}))


def test_what_is_asked_on_the_side_gets_json_or_a_title() -> None:
    aside = _ask("hi", generationConfig={"responseMimeType": "application/json"}).events[0]
    assert '"next_speaker": "user"' in str(aside)
    assert _ask("%bash ls") == Reply(events=(_whole({"text": "Fake title"}),))


def test_tokens_are_counted_and_all_else_gets_an_empty_object() -> None:
    assert _ask("hi", "/v1beta/models/m:countTokens") == Reply({"totalTokens": 10})
    assert answer(Request("GET", "/v1beta/models", {}, "right")) == Reply({})
