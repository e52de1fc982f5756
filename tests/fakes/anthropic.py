"""The Messages API as Claude Code 2.1.197 uses it, and OpenCode 1.18.33 and pi 0.73.1."""

import json

from tests.fakes.http import Object, Reply, Request, blocks, text_of
from tests.fakes.script import WRITTEN, Bash, Say, Talk, Write, next_step

_USAGE: Object = {"input_tokens": 10, "output_tokens": 5}


def answer(request: Request) -> Reply:
    """The reply to any request; what is not a message gets an empty object."""
    if request.path.endswith("/count_tokens"):
        return Reply({"input_tokens": 10})
    if request.method != "POST" or not request.path.endswith("/v1/messages"):
        return Reply({})
    message = _message(request.body)
    return Reply(events=_events(message)) if request.body.get("stream") else Reply(message)


def read_talk(body: Object) -> Talk:
    """The conversation that a request tells."""
    talk = Talk()
    for message in blocks(body.get("messages")):
        if message.get("role") != "user":
            continue
        for block in blocks(message.get("content")):
            if block.get("type") == "tool_result":
                talk = talk.answered(text_of(block.get("content")))
            elif block.get("type") == "text":
                talk = talk.said(text_of(block.get("text")))
    return talk


def _message(body: Object) -> Object:
    # requests on the side, such as for a title, offer no tools
    step = next_step(read_talk(body)) if body.get("tools") else Say("Fake title")
    number = len(blocks(body.get("messages")))  # makes ids that never meet within a conversation
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [_block(step, number, blocks(body.get("tools")))],
        "stop_reason": "end_turn" if isinstance(step, Say) else "tool_use",
        "stop_sequence": None,
        "usage": _USAGE,
    }


def _block(step: Say | Bash | Write, number: int, tools: list[Object]) -> Object:
    if isinstance(step, Say):
        return {"type": "text", "text": step.text}
    tool = _offered("bash" if isinstance(step, Bash) else "write", tools)
    if isinstance(step, Bash):
        given: Object = {"command": step.command, "description": "fake step"}
    else:
        given = {_path_of(tool): step.path, "content": WRITTEN + "\n"}
    return {"type": "tool_use", "id": f"toolu_{number}", "name": tool["name"], "input": given}


def _offered(word: str, tools: list[Object]) -> Object:
    """The tool of that name; Claude Code begins it with a capital."""
    return next(tool for tool in tools if str(tool["name"]).lower() == word)


def _path_of(tool: Object) -> str:
    """What the tool calls the file's path."""
    schema = tool.get("input_schema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    named = properties if isinstance(properties, dict) else {}
    return next((name for name in ("filePath", "path") if name in named), "file_path")


def _events(message: Object) -> tuple[Object, ...]:
    """The stream that builds `message`: its one block empty first, then whole in one delta."""
    (block,) = blocks(message["content"])
    ending: Object = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return (
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": _empty(block)},
        {"type": "content_block_delta", "index": 0, "delta": _delta(block)},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    )


def _empty(block: Object) -> Object:
    return {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}


def _delta(block: Object) -> Object:
    if block["type"] == "text":
        return {"type": "text_delta", "text": block["text"]}
    return {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
