"""The synchronous client, which is generated from the asynchronous one, except `io.py`."""
