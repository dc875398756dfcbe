"""The calls of the host into a plugin, and what each of them returns."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bridgehead.plugin._hosting import Hosting
from bridgehead.plugin._log import Log
from bridgehead.plugin._plugin import Context
from bridgehead.plugin._script import described
from bridgehead.plugin._types import Types
from bridgehead.plugin._wire import CONSTANTS, STATUS
from bridgehead.plugin.bridge import Bridge, Channel, Outgoing
from bridgehead.plugin.errors import PluginError
from bridgehead.plugin.model import ModelPlugin, Sensor
from bridgehead.plugin.own import register
from bridgehead.plugin.values import Step

OK, FATAL, UNSUPPORTED = STATUS["OK"], STATUS["FATAL"], STATUS["UNSUPPORTED"]
_CONNECTION = CONSTANTS["connection"]

Returned = dict[str, Any]


def returned(status: int, value: int = 0, connection: dict[str, int] | None = None) -> Returned:
    """Returns what a call has returned."""
    return {"status": status, "value": value, "connection": connection}


class Caller:
    """Calls a plugin: an exception becomes a failure with its reason."""

    def __init__(self, host: Hosting, log: Log, path: Path) -> None:
        self._host = host
        self._log = log
        self._path = path

    def make(self, call: Callable[[], Any]) -> int:
        """Makes a call, and returns its status."""
        try:
            call()
        except BaseException as error:
            self.failed(error)
            return FATAL
        return OK

    def failed(self, error: BaseException) -> None:
        """Explains an exception, and logs where it passed."""
        if not isinstance(error, PluginError):
            self._log.exception(error)
        self._host.explain(described(error, self._path))


class ModelServer:
    """The one instance of a model plugin."""

    def __init__(self, kind: type[ModelPlugin], context: Context, caller: Caller) -> None:
        self._kind = kind
        self._context = context
        self._caller = caller
        self._plugin: ModelPlugin | None = None
        self._period: int | None = None

    def make(self, call: str, content: Any) -> Returned:
        """Makes a call of the host."""
        if call == "Register":
            library = Hosting(self._context.link, "Library")
            values = list(vars(sys.modules[self._kind.__module__]).values())
            return returned(self._caller.make(lambda: register(library, values)))
        if call == "Create":
            return self._create()
        if call in {"Converters", "Destroy"}:
            return returned(OK)
        if call != "Model" or self._plugin is None:
            return returned(UNSUPPORTED)
        return self._call(self._plugin, *content)

    def _create(self) -> Returned:
        def create() -> None:
            self._plugin = self._kind()
            self._plugin._context = self._context

        status = self._caller.make(create)
        value = sum(bit for name, bit in CONSTANTS["model_has"].items() if self._has(name))
        return returned(status, value)

    def _has(self, name: str) -> bool:
        return getattr(self._kind, name) is not getattr(ModelPlugin, name)

    def _call(self, plugin: ModelPlugin, call: str, content: Any) -> Returned:
        make = self._caller.make
        if call in {"Sample", "Control"}:
            step = Step(content["step"], content["time_ns"], content["width_ns"], content["reset_epoch"])
            return returned(make(lambda: self._step(plugin, call, step)))
        if call == "Reset":
            return returned(make(lambda: self._reset(plugin)))
        if call == "SampleTimes":
            return returned(self._sample_times(plugin))
        if call == "Save":
            return returned(make(lambda: self._context.link.ask(("Model", ("Write", {"bytes": plugin.save()})))))
        if call == "Load":
            return returned(make(lambda: plugin.load(bytes(content["state"]))))
        names = {"AllStarted": "all_started"}
        method = getattr(plugin, names.get(call, call.lower()), None)
        return returned(UNSUPPORTED) if method is None else returned(make(method))

    def _reset(self, plugin: ModelPlugin) -> None:
        plugin._begin_again()
        plugin.reset()

    def _step(self, plugin: ModelPlugin, call: str, step: Step) -> None:
        self._context.time_ns = step.time_ns
        for service in plugin._services:
            service.serve()
        if call == "Control":
            plugin.control(step)
        elif not isinstance(plugin, Sensor) or plugin.is_due(step):
            plugin.sample(step)

    def _sample_times(self, plugin: ModelPlugin) -> int:
        # A plugin with services answers them in every step.
        period = None if plugin._services else plugin.sample_period_ns()
        if period is None:
            return STATUS["NOT_FOUND"]
        self._context.link.ask(("Model", ("SampleTimes", {"steps_before": 0, "period_ns": period})))
        return OK

    def interrupt(self) -> None:
        """Model plugins have no loops."""


class BridgeServer:
    """The one instance of a bridge."""

    def __init__(self, kind: type[Bridge], context: Context, caller: Caller) -> None:
        self._kind = kind
        self._context = context
        self._caller = caller
        self._bridge: Bridge | None = None
        self._connection = {"change": 0, "status": _CONNECTION["disconnected"]}

    def make(self, call: str, content: Any) -> Returned:
        """Makes a call of the host."""
        if call == "Register":
            return returned(self._register())
        if call == "Validate":
            return self._validate(content["connection"])
        if call == "Create":
            return self._create()
        if call == "Converters":
            return returned(OK)
        bridge = self._bridge
        if bridge is None:
            return returned(OK if call == "Destroy" else UNSUPPORTED)
        calls: dict[str, Callable[[Bridge, Any], Returned]] = {
            "Connect": self._connect,
            "Disconnect": self._disconnect,
            "Notice": lambda _, __: returned(OK, connection=self._connection),
            "CreateEndpoint": self._create_endpoint,
            "DestroyEndpoint": self._destroy_endpoint,
            "Transmit": self._transmit,
            "Receive": self._receive,
            "Destroy": lambda _, __: returned(OK),
        }
        found = calls.get(call)
        return returned(UNSUPPORTED) if found is None else found(bridge, content)

    def _register(self) -> int:
        for name in self._kind.carries:
            for role, creator in (("Publisher", 0), ("Subscriber", 1)):
                request = {"role": (role, None), "data_type": name, "response": "", "creator": creator}
                _, code = self._context.link.ask(("AddCreator", request))
                if code < OK:
                    return int(code)
        return OK

    def _validate(self, connection: str) -> Returned:
        status = self._caller.make(lambda: self._kind.validate(self._kind.__new__(self._kind), connection))
        return returned(OK if status == OK else STATUS["INVALID_ARG"])

    def _create(self) -> Returned:
        def create() -> None:
            self._bridge = self._kind()
            self._bridge._context = self._context

        status = self._caller.make(create)
        bits = CONSTANTS["bridge_has"]
        has = {name: getattr(self._kind, name) is not getattr(Bridge, name) for name in ("transmit", "receive")}
        return returned(status, bits["interrupt"] + sum(bits[name] for name in has if has[name]))

    def _set(self, status: str) -> dict[str, int]:
        if self._connection["status"] != _CONNECTION[status]:
            self._connection = {"change": self._connection["change"] + 1, "status": _CONNECTION[status]}
        return self._connection

    def _lost(self, error: BaseException) -> None:
        self._caller.failed(error)
        self._context.link.ask(("Status", self._set("lost")))

    def _connect(self, bridge: Bridge, content: Any) -> Returned:
        bridge.stopping.clear()
        status = self._caller.make(lambda: bridge.connect(content["connection"]))
        return returned(status, connection=self._set("connected" if status == OK else "disconnected"))

    def _disconnect(self, bridge: Bridge, _: Any) -> Returned:
        status = self._caller.make(bridge.disconnect)
        return returned(status, connection=self._set("disconnected"))

    def _create_endpoint(self, bridge: Bridge, content: Any) -> Returned:
        channel, endpoint = content["channel"], content["endpoint"]

        def create() -> None:
            kind = self._context.types.by_number(channel["data_type"])
            made = Channel(channel["topic"], channel["vehicle"], channel["bridge_type"], kind)
            if content["role"][0] == "Publisher":
                bridge._outgoing[endpoint] = made
            else:
                bridge._incoming[channel["topic"]] = (made, endpoint)

        return returned(self._caller.make(create))

    def _destroy_endpoint(self, bridge: Bridge, content: Any) -> Returned:
        endpoint = content["endpoint"]
        bridge._outgoing.pop(endpoint, None)
        for topic in [topic for topic, (_, known) in bridge._incoming.items() if known == endpoint]:
            del bridge._incoming[topic]
        return returned(OK)

    def _transmit(self, bridge: Bridge, _: Any) -> Returned:
        link = self._context.link
        while True:
            kind, content = link.ask(("Next", {"timeout_ns": -1}))
            if kind != "Message":
                return returned(OK if content == STATUS["INTERRUPTED"] else content)
            channel = bridge._outgoing.get(content["endpoint"])
            if channel is None:
                continue
            message = Outgoing(
                channel, content["stamp_ns"], content["sequence"], content["step"], link.bytes_of(content["payload"])
            )
            try:
                bridge.transmit(message)
            except OSError as error:
                link.ask(("Reject", None))
                self._lost(error)
                return returned(STATUS["IO"])
            except BaseException as error:
                link.ask(("Reject", None))
                self._caller.failed(error)
                return returned(FATAL)

    def _receive(self, bridge: Bridge, _: Any) -> Returned:
        while not bridge.stopping.is_set():
            try:
                bridge.receive()
            except TimeoutError:
                continue
            except OSError as error:
                if bridge.stopping.is_set():
                    break
                self._lost(error)
                return returned(STATUS["IO"])
            except BaseException as error:
                self._caller.failed(error)
                return returned(FATAL)
        return returned(OK)

    def interrupt(self) -> None:
        """Wakes the loops."""
        if self._bridge is not None:
            self._bridge.stopping.set()
            self._caller.make(self._bridge.interrupt)


def server(kind: type[Bridge] | type[ModelPlugin], context: Context, caller: Caller) -> ModelServer | BridgeServer:
    """Returns what makes the calls of the host into a class."""
    return BridgeServer(kind, context, caller) if issubclass(kind, Bridge) else ModelServer(kind, context, caller)


def context_of(link: Any, host: Hosting, name: str) -> Context:
    """Returns what an instance needs of its process."""
    return Context(link, host, Types(host), name)
