"""Generator of the messages, the services and the synchronous client."""
