"""Hooks of the build."""
