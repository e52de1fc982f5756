"""The launch spec: a request as the text that launch.py reads."""

import base64
import json

from hqt.backends.base import SpawnRequest
from hqt.launch import SPEC_VERSION


def spec_text(request: SpawnRequest) -> str:
    """`request` as JSON in ASCII, in which bytes that are no UTF-8 survive as escaped surrogates."""
    return json.dumps(
        {
            "version": SPEC_VERSION,
            "argv": list(request.argv),
            "env": dict(request.env),
            "cwd": str(request.cwd),
            "copies": [base64.b64encode(copy.content).decode("ascii") for copy in request.copies],
            "status": None if request.status is None else str(request.status),
            "jailed": request.jailed,
            "umask": request.umask,
        }
    )
