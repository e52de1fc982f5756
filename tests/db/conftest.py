"""The places of a test's database."""

from collections.abc import Iterator

import pytest

from hqt.paths import Places
from tests.db.scratch import new_places


@pytest.fixture
def places() -> Iterator[Places]:
    """Folders of the test's own, with characters that mean something in a URI; none of hqt's exists yet."""
    with new_places() as made:
        yield made
