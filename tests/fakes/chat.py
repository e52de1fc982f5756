"""The Chat Completions API, as Qwen Code uses it (Qwen Code 0.15.10)."""

import json

from tests.fakes.gemini import printed
from tests.fakes.http import Object, Reply, Request, blocks, text_of
from tests.fakes.script import WRITTEN, Bash, Say, Talk, Write, next_step

_USAGE: Object = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def answer(request: Request) -> Reply:
    """The reply to any request; what is not a completion gets an empty object."""
    if not request.path.endswith("/chat/completions"):
        return Reply({})
    body = request.body
    return Reply(events=_chunks(body)) if body.get("stream") else Reply(_completion(body))


def read_talk(body: Object) -> Talk:
    """The conversation that a request tells."""
    talk = Talk()
    for message in blocks(body.get("messages")):
        if message.get("role") == "tool":
            talk = talk.answered(printed(text_of(message.get("content"))))
        elif message.get("role") == "user":
            for part in blocks(message.get("content")):
                talk = talk.said(text_of(part.get("text")))
    return talk


def _completion(body: Object) -> Object:
    choice: Object = {"index": 0, "message": _message(body), "finish_reason": _reason(body)}
    return {**_head(body, "chat.completion"), "choices": [choice], "usage": _USAGE}


def _chunks(body: Object) -> tuple[Object, ...]:
    """The stream that builds the same message: whole in one delta, then why it ended."""
    head = _head(body, "chat.completion.chunk")
    said: Object = {"index": 0, "delta": _message(body), "finish_reason": None}
    ended: Object = {"index": 0, "delta": {}, "finish_reason": _reason(body)}
    return ({**head, "choices": [said]}, {**head, "choices": [ended], "usage": _USAGE})


def _head(body: Object, kind: str) -> Object:
    return {"id": f"chat_{_number(body)}", "object": kind, "created": 0, "model": body.get("model")}


def _message(body: Object) -> Object:
    step = _step(body)
    if isinstance(step, Say):
        return {"role": "assistant", "content": step.text}
    call: Object = {"index": 0, "id": f"call_{_number(body)}", "type": "function", "function": _called(step)}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _reason(body: Object) -> str:
    return "stop" if isinstance(_step(body), Say) else "tool_calls"


def _step(body: Object) -> Say | Bash | Write:
    # requests on the side, such as for a title, offer no tools
    return next_step(read_talk(body)) if body.get("tools") else Say("Fake title")


def _called(step: Bash | Write) -> Object:
    given: Object
    if isinstance(step, Bash):
        name = "run_shell_command"
        given = {"command": step.command, "description": "fake step", "is_background": False}
    else:
        name, given = "write_file", {"file_path": step.path, "content": WRITTEN + "\n"}
    return {"name": name, "arguments": json.dumps(given)}


def _number(body: Object) -> int:
    """Makes ids that never meet within a conversation."""
    return len(blocks(body.get("messages")))
