"""Hosts for the tests: the program of BRIDGEHEAD_PROGRAM with the plugins beside it."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Iterator

import pytest
from places import FIXTURES, WORLDS

import bridgehead

pytest_plugins = ["pytester"]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture(scope="session", autouse=True)
def _environment() -> None:
    assert os.environ.get("BRIDGEHEAD_PROGRAM"), "set BRIDGEHEAD_PROGRAM to the program of a build"
    os.environ["BRIDGEHEAD_RESOURCE_PATH"] = str(FIXTURES / "models")


@pytest.fixture
def paused() -> Iterator[bridgehead.Host]:
    """A paused host with two boxes."""
    with bridgehead.Host(FIXTURES / "W1.sdf", start="paused") as host:
        yield host


@pytest.fixture
def playing() -> Iterator[bridgehead.Host]:
    """A host that plays the world of the demo in real time."""
    with bridgehead.Host(WORLDS / "two_vehicles.sdf") as host:
        yield host
