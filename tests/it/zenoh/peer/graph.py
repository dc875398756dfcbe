"""The nodes and endpoints of a domain, from the liveliness tokens that were discovered."""

import zenoh

from wire import ADMIN, dds_name, full, parse_token, ros_name


class Graph:
    """The tokens that exist now; a text that rmw_zenoh ignores has None instead of a token."""

    def __init__(self, domain, own_zid):
        self.key = f"{ADMIN}/{domain}/**"
        self.own_zid = own_zid
        self.found = {}

    def change(self, sample):
        """Adds or removes a token."""
        text = str(sample.key_expr)
        if sample.kind == zenoh.SampleKind.DELETE:
            self.found.pop(text, None)
        else:
            self.found[text] = parsed(text)

    def has_server(self, service, ros_type):
        """Whether a server is announced with this name and type, whatever its type hash is."""
        wanted = ("SS", full(service), dds_name(ros_type))
        return any(token and (token.kind, token.name, token.type) == wanted for token in self.found.values())

    def plain(self):
        """What other sessions have declared."""
        others = {text: token for text, token in sorted(self.found.items()) if text.split("/")[2] != self.own_zid}
        tokens = [token for token in others.values() if token]
        return {
            "tokens": list(others),
            "ignored": [text for text, token in others.items() if not token],
            "nodes": [node(token) for token in tokens if token.kind == "NN"],
            "endpoints": [endpoint(token) for token in tokens if token.kind != "NN"],
        }


def parsed(text):
    try:
        return parse_token(text)
    except ValueError:
        return None


def node(token):
    owner = {"zid": token.zid, "nid": token.nid, "enclave": token.enclave}
    return {"node": token.node, "namespace": token.namespace} | owner


def endpoint(token):
    """An endpoint, whose gid is that of the canonical token: readers in ROS compute it so."""
    own = {"kind": token.kind, "id": token.id, "name": token.name, "type": ros_name(token.type)}
    return node(token) | own | {"hash": token.hash, "qos": token.qos, "gid": token.gid().hex()}
