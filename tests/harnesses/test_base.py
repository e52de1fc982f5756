import uuid

from hqt.harnesses.base import new_uuid


def test_a_new_id_is_a_random_uuid() -> None:
    made = [uuid.UUID(new_uuid()) for _ in range(100)]
    assert {(each.version, each.variant) for each in made} == {(4, uuid.RFC_4122)}
    assert len(set(made)) == 100
