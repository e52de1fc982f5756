"""The Gemini API as Gemini CLI uses it (Gemini CLI 0.61.0): streamed, over HTTP."""

import re

from tests.fakes.http import Json, Object, Reply, Request, blocks, text_of
from tests.fakes.script import WRITTEN, Bash, Say, Talk, Write, next_step

# what the shell tool reports of a command, once it has run; Qwen Code, made from Gemini CLI, says it so too
_REPORT = re.compile(r"^Output: (.*?)\n(?:Error|Exit Code|Process Group PGID): ", re.DOTALL | re.MULTILINE)
_USAGE: Object = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
# what it asks on the side wants JSON: which model is to answer, and who speaks next
_ASIDE = '{"complexity_reasoning": "fake", "complexity_score": 1, "reasoning": "", "next_speaker": "user"}'


def answer(request: Request) -> Reply:
    """The reply to any request; what generates nothing gets an empty object."""
    verb = request.path.rpartition(":")[2]
    if verb == "countTokens":
        return Reply({"totalTokens": 10})
    if verb not in ("generateContent", "streamGenerateContent"):
        return Reply({})
    generated = _generated(request.body)
    return Reply(events=(generated,)) if verb == "streamGenerateContent" else Reply(generated)


def read_talk(body: Object) -> Talk:
    """The conversation that a request tells."""
    talk = Talk()
    for content in blocks(body.get("contents")):
        if content.get("role") != "user":
            continue
        for part in blocks(content.get("parts")):
            result = part.get("functionResponse")
            talk = talk.answered(_output(result)) if result else talk.said(text_of(part.get("text")))
    return talk


def printed(result: str) -> str:
    """What a command printed, of what the shell tool reports of it; any other result as it is."""
    found = _REPORT.search(result)
    return found[1] if found else result


def _output(result: Json) -> str:
    """What a tool says, or why it failed."""
    given = result.get("response") if isinstance(result, dict) else None
    found = (given.get("output") or given.get("error")) if isinstance(given, dict) else None
    return printed(text_of(found))


def _generated(body: Object) -> Object:
    content: Object = {"role": "model", "parts": [_part(body)]}
    return {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "usageMetadata": _USAGE,
    }


def _part(body: Object) -> Object:
    config = body.get("generationConfig")
    if isinstance(config, dict) and config.get("responseMimeType") == "application/json":
        return {"text": _ASIDE}
    # requests on the side, such as for a title, offer no tools
    step = next_step(read_talk(body)) if body.get("tools") else Say("Fake title")
    return {"text": step.text} if isinstance(step, Say) else {"functionCall": _call(step)}


def _call(step: Bash | Write) -> Object:
    if isinstance(step, Bash):
        return {"name": "run_shell_command", "args": {"command": step.command, "description": "fake step"}}
    return {"name": "write_file", "args": {"file_path": step.path, "content": WRITTEN + "\n"}}
