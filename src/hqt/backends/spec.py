"""The launch spec: a request as the text that launch.py reads."""

import base64
import json

from hqt.backends.base import Seal, SpawnRequest
from hqt.launch import SPEC_VERSION


def spec_text(request: SpawnRequest) -> str:
    """`request` as JSON in ASCII, in which bytes that are no UTF-8 survive as escaped surrogates."""
    return json.dumps(
        {
            "version": SPEC_VERSION,
            "argv": list(request.argv),
            "env": dict(request.env),
            "cwd": str(request.cwd),
            "copies": [_ascii(copy.content) for copy in request.copies],
            "status": None if request.status is None else str(request.status),
            "seal": None if request.seal is None else _seal(request.seal),
            "umask": request.umask,
        }
    )


def _seal(seal: Seal) -> dict[str, object]:
    return {
        "filter": _ascii(seal.filter),
        "scopes": seal.scopes,
        "sources": [[str(source.path), source.device, source.inode] for source in seal.sources],
    }


def _ascii(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
