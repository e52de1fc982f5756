"""Frozen values that cost little to define.

`dataclasses` writes and compiles the methods of each class, 0.6 to 0.9 ms of the start of every command
that imports it; what is defined here shares its methods, 0.03 ms a class. A type checker sees dataclasses.
"""

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, dataclass_transform

    _Value = TypeVar("_Value")


class _Field:
    """What a field has in place of a plain default."""

    def __init__(self, factory: "Callable[[], object] | None", *, init: bool) -> None:
        self.factory = factory
        self.init = init


if TYPE_CHECKING:

    def field(*, default_factory: Callable[[], Any] | None = None, init: bool = True) -> Any: ...  # noqa: ANN401

    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def frozen(cls: type[_Value]) -> type[_Value]: ...

else:

    def field(*, default_factory=None, init=True):  # noqa: ANN001, ANN201
        """A field whose default is made anew for each value, or that `__post_init__` sets."""
        return _Field(default_factory, init=init)

    def frozen(cls):  # noqa: ANN001, ANN201
        """The class with frozen, slotted fields: those of its base, then those that it annotates."""
        own = tuple(cls.__dict__.get("__annotations__", ()))  # noqa: RUF063 - inspect costs 8 ms
        body = {
            name: each
            for name, each in cls.__dict__.items()
            if name not in own and name not in ("__dict__", "__weakref__")
        }
        defaults = {name: cls.__dict__[name] for name in own if name in cls.__dict__}
        names = (*getattr(cls, "_fields", ()), *own)
        defaults = {**getattr(cls, "_defaults", {}), **defaults}
        given = tuple(name for name in names if _is_given(defaults, name))
        shared = {
            "__slots__": own,
            "__match_args__": names,
            "_fields": names,
            "_defaults": defaults,
            "_given": given,
            "_is_finished": hasattr(cls, "__post_init__"),
            "_compared": attrgetter(*given) if given else _nothing,
            **_SHARED,
        }
        return type(cls)(cls.__name__, cls.__bases__, {**shared, **body})


def replace(given: "_Value", /, **changes: "Any") -> "_Value":  # noqa: ANN401 - a type checker knows no more of it
    """The value with other fields; what `__post_init__` sets is set anew."""
    names = getattr(type(given), "_fields", None)
    if names is None:
        import dataclasses  # here: no value of ours is one

        return dataclasses.replace(given, **changes)  # type: ignore[type-var]
    known: tuple[str, ...] = type(given)._given  # type: ignore[attr-defined]
    kept = {name: getattr(given, name) for name in known if name not in changes}
    return type(given)(**kept, **changes)


def as_dict(given: object) -> "dict[str, Any]":
    """Its fields by name, in their order; the values themselves, not copied."""
    return {name: getattr(given, name) for name in field_names(given)}


def field_names(given: object) -> tuple[str, ...]:
    """The names of a value's fields, in their order; empty where it is none."""
    return getattr(type(given), "_fields", ()) if not isinstance(given, tuple) else ()


def _is_given(defaults: "dict[str, object]", name: str) -> bool:
    found = defaults.get(name)
    return not isinstance(found, _Field) or found.init


def _init(self: "Any", *args: object, **named: object) -> None:  # noqa: ANN401
    cls = type(self)
    names, defaults, put = cls._fields, cls._defaults, object.__setattr__
    if len(args) > len(names):
        raise TypeError(f"{cls.__name__} takes {len(names)} values and {len(args)} were given")
    for name, each in zip(names, args, strict=False):
        put(self, name, each)
    for name in names[len(args) :]:
        if name in named:
            put(self, name, named.pop(name))
        elif name in defaults:
            default = defaults[name]
            if not isinstance(default, _Field):
                put(self, name, default)
            elif default.init and default.factory is not None:
                put(self, name, default.factory())
        else:
            raise TypeError(f"{cls.__name__} needs {name}")
    if named:
        raise TypeError(f"{cls.__name__} has no field {', '.join(named)}, or it was given twice")
    if cls._is_finished:
        self.__post_init__()


def _eq(self: "Any", other: object) -> "Any":  # noqa: ANN401 - NotImplemented
    # fetched in C: the screen compares a hundred values several times a second
    compared = type(self)._compared
    return compared(self) == compared(other) if type(other) is type(self) else NotImplemented


def _hash(self: "Any") -> int:  # noqa: ANN401
    return hash(type(self)._compared(self))


def _nothing(_: object) -> tuple[()]:
    return ()


def _repr(self: "Any") -> str:  # noqa: ANN401
    cls = type(self)
    said = (f"{name}={getattr(self, name)!r}" for name in cls._given)
    return f"{cls.__qualname__}({', '.join(said)})"


def _refuse_to_set(self: object, name: str, *_: object) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} can't be set: a value stays as it was made")


def _reduce(self: "Any") -> tuple[object, ...]:  # noqa: ANN401
    cls = type(self)
    return _made, (cls, {name: getattr(self, name) for name in cls._given})


def _made(cls: "type[_Value]", fields: "dict[str, Any]") -> "_Value":
    return cls(**fields)


_SHARED = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_set,
    "__reduce__": _reduce,
}
