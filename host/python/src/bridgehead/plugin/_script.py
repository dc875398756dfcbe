"""The file of a plugin: imported from its private copy, under the name and path of the original."""

from __future__ import annotations

import inspect
import linecache
import sys
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from bridgehead.plugin._log import frames
from bridgehead.plugin.bridge import Bridge
from bridgehead.plugin.errors import PluginError
from bridgehead.plugin.model import ModelPlugin

B = TypeVar("B")


def plugin_class(path: Path, copy: Path) -> type[Bridge] | type[ModelPlugin]:
    """Imports a file, and returns its class.

    Raises:
        PluginError: it cannot be imported, or has not one class.

    """
    # Modules beside the file can be imported, but replace none.
    sys.path.append(str(path.parent))
    module = _imported(path, copy)
    found = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Bridge | ModelPlugin) and kind.__module__ == module.__name__
    ]
    # Classes that others are derived from are not the plugin.
    found = [kind for kind in found if not any(other is not kind and issubclass(other, kind) for other in found)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"`{kind.__name__}`" for kind in found) or "none"
    raise PluginError(f"a plugin is one class that is derived from Sensor, Controller or Bridge; found {names}")


def _imported(path: Path, copy: Path) -> ModuleType:
    source = copy.read_bytes()
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    name = module.__name__
    if name in sys.modules:
        module.__name__ = name = f"{name}_plugin"
    sys.modules[name] = module
    lines = source.decode("utf-8", "replace").splitlines(keepends=True)
    # Tracebacks show the lines that run, also if the file has changed.
    linecache.cache[str(path)] = (len(source), None, lines, str(path))
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    except BaseException as error:
        raise PluginError(described(error, path)) from error
    return module


def described(error: BaseException, path: Path) -> str:
    """Returns an exception in one line, with the line of the plugin in which it was raised."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}:{error.lineno}: {type(error).__name__}: {error.msg}"
    what = str(error) if isinstance(error, PluginError) else f"{type(error).__name__}: {error}".removesuffix(": ")
    if isinstance(error, SystemExit):
        what = f"called `sys.exit({error.code})`"
    passed = frames(error)
    inside = [frame for frame in passed if frame.filename == str(path)] or passed
    return f"{inside[-1].filename}:{inside[-1].lineno}: {what}" if inside else what
