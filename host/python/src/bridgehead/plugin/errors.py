"""Errors of plugins."""

from __future__ import annotations


class PluginError(Exception):
    """A plugin cannot go on: the text is shown to the user of the simulation, without a traceback."""


class HostError(PluginError):
    """A function of the host has returned a failure."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        """The name of the status, such as `NOT_FOUND`."""
