"""A frozen value does what a frozen dataclass does, without its cost."""

import copy
import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.values import as_dict, field, field_names, frozen, replace


@frozen
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)

    def moved(self, by: int) -> "Point":
        return replace(self, x=self.x + by)


@frozen
class Named(Point):
    name: str = "a"


@frozen
class Summed:
    parts: tuple[int, ...]
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(self.parts))


@dataclass(frozen=True)
class _Pair:
    x: int
    y: tuple[int, ...] = ()


@frozen
class Pair:
    x: int
    y: tuple[int, ...] = ()


_VALUES = st.tuples(st.integers(), st.lists(st.integers(), max_size=3).map(tuple))


@given(_VALUES, _VALUES)
def test_it_compares_and_hashes_as_a_dataclass(
    one: tuple[int, tuple[int, ...]], other: tuple[int, tuple[int, ...]]
) -> None:
    assert (Pair(*one) == Pair(*other)) == (_Pair(*one) == _Pair(*other))
    assert (hash(Pair(*one)) == hash(Pair(*other))) == (hash(_Pair(*one)) == hash(_Pair(*other)))
    assert repr(Pair(*one)) == repr(_Pair(*one)).removeprefix("_")


def test_values_of_two_classes_are_never_equal() -> None:
    assert Point(1) != Named(1)
    assert Pair(1) != (1, ())  # type: ignore[comparison-overlap]


def test_it_takes_values_by_place_by_name_and_by_default() -> None:
    made = Point(1, tags=["b"])
    assert (made.x, made.y, made.tags) == (1, 0, ["b"])
    assert Point(1).tags is not Point(1).tags


def test_a_class_below_another_has_its_fields_first() -> None:
    assert as_dict(Named(1, 2, [], "n")) == {"x": 1, "y": 2, "tags": [], "name": "n"}
    assert field_names(Named(1)) == ("x", "y", "tags", "name")


@pytest.mark.parametrize(
    ("args", "named", "said"),
    [
        ((), {}, "Pair needs x"),
        ((1, (), 3), {}, "Pair takes 2 values and 3 were given"),
        ((1,), {"x": 2}, "Pair has no field x, or it was given twice"),
        ((1,), {"z": 2}, "Pair has no field z, or it was given twice"),
    ],
)
def test_what_it_can_not_be_made_of_is_named(args: tuple[int], named: dict[str, int], said: str) -> None:
    with pytest.raises(TypeError) as caught:
        Pair(*args, **named)  # type: ignore[arg-type]
    assert str(caught.value) == said


def test_it_stays_as_it_was_made() -> None:
    made = Point(1)
    with pytest.raises(AttributeError, match=r"Point\.x can't be set"):
        made.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match=r"Point\.x can't be set"):
        del made.x
    assert made.moved(2) == Point(3)


def test_what_is_made_after_the_fields_is_made_anew_by_a_replace() -> None:
    made = replace(Summed((1, 2)), parts=(5,))
    assert (made.total, made, repr(made)) == (5, Summed((5,)), "Summed(parts=(5,))")


def test_it_survives_a_copy_and_a_pickle() -> None:
    made = Named(1, name="n")
    assert copy.deepcopy(made) == made == pickle.loads(pickle.dumps(made))  # noqa: S301 - our own


def test_a_plain_dataclass_can_be_replaced_too() -> None:
    assert replace(_Pair(1), x=2) == _Pair(2)
    assert field_names(_Pair(1)) == ()
