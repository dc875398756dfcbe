"""The process of a plugin: imports one file, and makes the calls of the host.

The main thread makes lifecycle calls and all calls of model plugins, two threads run the loops of a bridge, and one
receives what is not answered. The process ends when the host closes the lane of the main thread, or ends itself.
"""

from __future__ import annotations

import atexit
import os
import resource
import sys
import threading
import time
from pathlib import Path
from typing import Any

from bridgehead.plugin._hosting import Hosting
from bridgehead.plugin._link import MAIN, RECEIVE, TRANSMIT, EndedError, Link, leave
from bridgehead.plugin._log import ERROR, WARN, Log, install
from bridgehead.plugin._script import plugin_class
from bridgehead.plugin._serving import BridgeServer, Caller, ModelServer, context_of, server
from bridgehead.plugin._wire import GarbageError
from bridgehead.plugin.bridge import Bridge
from bridgehead.plugin.errors import PluginError

_FAILED = "BH-PLG-089"
_LOOK_S = 0.25
# The part of the time for a call after which the line that runs is logged.
_LATE = 0.8

# These have a limit of their own, which the host enforces by itself.
_LONG = {"awake", "start"}

Server = ModelServer | BridgeServer


class Watch:
    """Ends the process with its host, and says which line is running if a call does not return.

    The host ends a process whose call takes too long, but cannot see where it is.
    """

    def __init__(self, log: Log, limit_s: float) -> None:
        self._log = log
        self._limit_s = limit_s
        self._main = threading.get_ident()
        self._call = ""
        self._since = 0.0
        self._host = os.getppid()
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def begin(self, call: str) -> None:
        """A call begins on the main thread."""
        self._since = time.monotonic()
        self._call = call

    def end(self) -> None:
        """It has returned."""
        self._call = ""

    def _run(self) -> None:
        while True:
            time.sleep(min(_LOOK_S, self._limit_s / 10))
            if os.getppid() != self._host:
                os._exit(1)
            call = self._call
            passed_s = time.monotonic() - self._since
            if call and passed_s > _LATE * self._limit_s:
                self._report(call, passed_s)
                self._call = ""

    def _report(self, call: str, passed_s: float) -> None:
        frame: Any = sys._current_frames().get(self._main)
        own = __file__.rpartition("/")[0]
        inner = frame
        while frame is not None and frame.f_code.co_filename.startswith((own, "<")):
            frame = frame.f_back
        frame = frame or inner
        if frame is not None:
            where = f"`{frame.f_code.co_name}` at {frame.f_code.co_filename}:{frame.f_lineno}"
            text = f"`{call}` has run for {passed_s:.1f} s, and is in {where}"
            self._log.write(WARN if call in _LONG else ERROR, text, frame.f_code.co_filename, frame.f_lineno)


def run(arguments: list[str]) -> int:
    """Works for the host until it ends the connection. Returns the exit code."""
    descriptors, label, level, limits, path, copy, call_ms = arguments
    confine(limits)
    link = Link([int(number) for number in descriptors.split(",")])
    link.adopt(MAIN)
    log = Log(Hosting(link, "Instance"), Path(path).stem)
    install(log, level)
    watch = Watch(log, int(call_ms) / 1e3)
    watch.begin("import")
    found = _load(link, Path(path), Path(copy))
    watch.end()
    if found is None:
        return 0
    host = Hosting(link, "Instance")
    name = label.rpartition("/")[2]
    served = server(found, context_of(link, host, name), Caller(host, log, Path(path)))
    _start_threads(link, served, issubclass(found, Bridge))
    _serve(link, MAIN, served, watch)
    _end(served)
    return 0


def confine(limits: str) -> None:
    """Sets the limits `BYTES,FILES` of this process, with `-` for none."""
    for number, limit in zip((resource.RLIMIT_DATA, resource.RLIMIT_NOFILE), limits.split(","), strict=True):
        if limit != "-":
            resource.setrlimit(number, (int(limit), int(limit)))


def _load(link: Link, path: Path, copy: Path) -> Any:
    """Imports the file, and tells the host."""
    lane = link.lanes[MAIN]
    try:
        found = plugin_class(path, copy)
    except PluginError as error:
        finding = {"code": _FAILED, "text": str(error), "details": []}
        lane.send("FromWorker", ("Loaded", ("Refused", finding)))
        return None
    lane.send("FromWorker", ("Loaded", ("Ready", {"flags": [0], "warnings": []})))
    return found


def _start_threads(link: Link, served: Server, has_loops: bool) -> None:
    if has_loops:
        for lane, name in ((TRANSMIT, "tx"), (RECEIVE, "rx")):
            threading.Thread(target=_serve_loop, args=(link, lane, served), name=name, daemon=True).start()
    threading.Thread(target=_serve_signals, args=(link, served), name="signals", daemon=True).start()


def _serve_loop(link: Link, lane: int, served: Server) -> None:
    link.adopt(lane)
    _serve(link, lane, served, None)


def _serve_signals(link: Link, served: Server) -> None:
    try:
        while True:
            kind, _ = link.signals.receive("Signal")
            if kind == "Interrupt":
                served.interrupt()
                link.ask(("Interrupted", None))
    except (EndedError, GarbageError):
        return


def _serve(link: Link, number: int, served: Server, watch: Watch | None) -> None:
    """Makes the calls that come on a lane, until the host closes it."""
    lane = link.lanes[number]
    try:
        while True:
            kind, value = lane.receive("ToWorker")
            if kind != "Call":
                leave()
            call, content = value
            name = content[0].lower() if call == "Model" else call.lower()
            if watch is not None:
                watch.begin(name)
            result = served.make(call, content)
            if watch is not None:
                watch.end()
            if link.is_child:
                # The plugin has forked, and its child has returned from the call.
                os._exit(0)
            lane.send("FromWorker", ("Returned", result))
    except (EndedError, OSError):
        return
    except GarbageError:
        leave()


def _end(served: Server) -> None:
    """Ends the process: threads of the plugin do not keep it."""
    del served
    atexit._run_exitfuncs()
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            stream.flush()
    os._exit(0)
