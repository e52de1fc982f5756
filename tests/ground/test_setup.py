"""scripts/setup on machines of every kind."""

from pathlib import Path

import pytest

from tests.ground.machine import Machine

VENV = [
    "python -m venv --clear .venv",
    "python -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling",
    "python -m pip install --quiet --disable-pip-version-check -c constraints.txt"
    " --no-build-isolation --editable .[dev]",
]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize(
    ("manager", "commands"),
    [
        (
            "apt-get",
            [
                "apt-get update -q",
                "apt-get install -q -y --no-install-recommends tmux bubblewrap git",
            ],
        ),
        ("dnf", ["dnf install -y tmux bubblewrap git"]),
        ("pacman", ["pacman -Sy --needed --noconfirm tmux bubblewrap git"]),
        ("zypper", ["zypper --non-interactive install tmux bubblewrap git"]),
        ("apk", ["apk add tmux bubblewrap git"]),
    ],
)
def test_each_package_manager_installs_what_is_missing(
    machine: Machine, manager: str, commands: list[str]
) -> None:
    machine.has_manager(manager)
    assert machine.set_up().returncode == 0
    assert machine.calls() == commands + VENV


def test_without_a_known_package_manager_one_sentence_says_what_to_install(machine: Machine) -> None:
    done = machine.set_up()
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "",
        "setup: no package manager that hqt knows is here:"
        " install tmux bubblewrap git, then run this again\n",
    )
    assert machine.calls() == []


def test_an_ordinary_user_installs_through_sudo(machine: Machine) -> None:
    machine.has_manager("apk")
    machine.has_sudo()
    machine.is_user(1000)
    assert machine.set_up().returncode == 0
    assert machine.calls() == ["sudo", "apk add tmux bubblewrap git", *VENV]


def test_an_ordinary_user_without_sudo_is_told_what_to_install(machine: Machine) -> None:
    machine.has_manager("apk")
    machine.is_user(1000)
    done = machine.set_up()
    assert (done.returncode, done.stderr) == (
        1,
        "setup: there is no sudo here: install tmux bubblewrap git as root, then run this again\n",
    )


def test_a_package_manager_that_brings_nothing_is_named(machine: Machine) -> None:
    machine.has_manager("dnf")
    machine.gets_nothing()
    done = machine.set_up()
    assert done.returncode == 1
    assert done.stderr.endswith("setup: dnf succeeded, yet there is no tmux bwrap git on PATH\n")


def test_a_python_without_ensurepip_gets_its_venv_package(machine: Machine) -> None:
    machine.has_tools()
    machine.has_manager("apt-get")
    machine.lacks_venv()
    assert machine.set_up().returncode == 0
    assert machine.calls()[1] == "apt-get install -q -y --no-install-recommends python3.11-venv"


def test_without_a_new_enough_python_one_sentence_asks_for_it(machine: Machine) -> None:
    machine.has_tools()
    done = machine.set_up(PYTHON="/bin/false")
    assert (done.returncode, done.stderr) == (
        1,
        "setup: no Python 3.11 or newer is here: install one, or name it as PYTHON=…, then run this again\n",
    )


def test_a_second_run_does_nothing_and_says_nothing(machine: Machine) -> None:
    machine.has_tools()
    machine.set_up()
    assert machine.calls() == VENV
    again = machine.set_up()
    assert (again.returncode, again.stdout, again.stderr, machine.calls()) == (0, "", "", [])


def test_a_changed_pin_installs_into_the_same_venv(machine: Machine) -> None:
    machine.has_tools()
    machine.set_up()
    machine.calls()
    (machine.checkout / "constraints.txt").write_text("click==8.2.0\n")
    assert machine.set_up().returncode == 0
    assert machine.calls() == VENV[1:]


def test_a_venv_whose_python_vanished_is_made_anew(machine: Machine) -> None:
    machine.has_tools()
    machine.set_up()
    machine.calls()
    (machine.checkout / ".venv/bin/python").unlink()
    assert machine.set_up().returncode == 0
    assert machine.calls() == VENV


def test_a_checkout_that_was_moved_is_set_up_anew(machine: Machine) -> None:
    machine.has_tools()
    machine.set_up()
    machine.calls()
    machine.checkout = machine.checkout.rename(machine.root / "elsewhere")
    assert machine.set_up().returncode == 0
    assert machine.calls() == VENV[1:]


def test_a_tool_that_was_removed_since_is_installed_again(machine: Machine) -> None:
    machine.has_tools()
    machine.set_up()
    machine.calls()
    (machine.root / "bin/tmux").unlink()
    machine.has_manager("apk")
    assert machine.set_up().returncode == 0
    assert machine.calls() == ["apk add tmux"]


def test_arguments_name_more_tools(machine: Machine) -> None:
    machine.has_tools()
    machine.has_manager("apk")
    assert machine.set_up("node", "npm").returncode == 0
    assert machine.calls() == ["apk add nodejs npm", *VENV]
