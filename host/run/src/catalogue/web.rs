//! The HTTP server and its responses.

use super::entry::{Entry, entries};

entries! {
    // Starting.
    "BH-WEB-001": "The default port of the HTTP server is taken; the server has another, which the message names."
        => "use the named address, for example with `bridgehead ctl --address` or BRIDGEHEAD_HTTP; `--http` chooses another, and `--http off` none";
    "BH-WEB-002": "The HTTP server cannot listen on its address."
        => "end the program that listens there, or choose another address; port 0 picks a free port";
    "BH-WEB-003": "The HTTP server would be reachable from other machines without a token."
        => "set `token` or `token_file` in [http], or listen on 127.0.0.1";
    "BH-WEB-004": "The host name in the address of the HTTP server has no address."
        => "check the spelling, or give the address in numbers";
    "BH-WEB-005": "The operating system cannot create a thread or socket for the HTTP server."
        => "raise the limit on threads or open files";
    // Access.
    "BH-WEB-010": "The `Host` header of a request does not name this machine; the request may come from a foreign web page."
        => "use 127.0.0.1, [::1] or localhost in the address";
    "BH-WEB-011": "A web page of another origin sent a request that changes the run or makes the host read files."
        => "use a client outside a browser, or serve the page from the same host and port";
    "BH-WEB-012": "A request has no token, or a wrong one."
        => "send the header `Authorization: Bearer TOKEN`";
    "BH-WEB-013": "The server has reached its limit of connections."
        => "close some, or raise `connections` in [http]";
    "BH-WEB-014": "The simulation thread has not responded for 5 s: a step or a load takes long, or does not return."
        => "wait; if it lasts, end the process with SIGTERM and check the world";
    "BH-WEB-015": "The host was built without the page for browsers."
        => "run `bash host/page/build.sh`, which needs Node and npm, and build the host again";
    "BH-WEB-016": "The thread of the HTTP server has been working on one request for ten seconds; meanwhile all other clients wait."
        => "report this with what the clients did: it is a defect of the host";
    // Requests.
    "BH-WEB-020": "The path does not exist."
        => "see `GET /api` for the services";
    "BH-WEB-021": "There is no service with this name."
        => "use one of the listed names; [services] may have renamed it";
    "BH-WEB-022": "The path does not support this method."
        => "use one of the methods in the header `Allow`";
    "BH-WEB-023": "The body of a request is too large."
        => "send less, or raise `body_limit` in [http]";
    "BH-WEB-024": "The body of a request did not arrive in time."
        => "send it at once";
    "BH-WEB-025": "The body of a request is not UTF-8, or was cut short."
        => "send JSON as UTF-8";
    "BH-WEB-026": "The query of an address has an unknown member."
        => "use one of the listed members";
    "BH-WEB-027": "A member in the query of an address is given twice, or its value is not JSON of its type."
        => "give each member once; write lists and messages as JSON";
    "BH-WEB-028": "A POST has a query in its address, which would have no effect."
        => "write the members as JSON in the body, or send a GET if the service only reads";
    "BH-WEB-029": "The scene has no mesh or texture with this hash; it belongs to an earlier scene, or nobody has read the scene."
        => "call `get_scene` and use its hashes";
    // Responses.
    "BH-WEB-030": "The run ended before a call was answered."
        => "start the host again";
    "BH-WEB-031": "A service failed without a response."
        => "see the log of the host";
    "BH-WEB-032": "The response of a service cannot be written as JSON."
        => "report this with the request: it is a defect of the host";
    // Goals of actions.
    "BH-WEB-040": "There is no goal with this id, or it is no longer kept."
        => "use the `goal_id` of the response to the posted goal";
    "BH-WEB-041": "A goal cannot be cancelled, because it has ended."
        => "request its result";
    "BH-WEB-042": "The query of a goal is malformed."
        => "write `?wait=SECONDS`, or nothing";
    // WebSocket.
    "BH-WEB-050": "A request to the path of the WebSocket does not open a WebSocket."
        => "use a client for WebSockets: `ws://HOST:PORT/ws`";
    "BH-WEB-051": "A client sent a malformed message over the WebSocket."
        => "write `{\"op\": \"subscribe\", \"what\": \"state\"}`, with an optional `rate` per second";
    "BH-WEB-052": "A client sent a binary frame over the WebSocket."
        => "send JSON as text";
    "BH-WEB-053": "There is nothing with this name to subscribe to."
        => "use `state`, `feedback`, `status`, `statistics`, or `topic:` and the full name of a topic";
    "BH-WEB-054": "A client has reached the limit of subscriptions."
        => "unsubscribe from some, or open another WebSocket";
    "BH-WEB-055": "A subscription needs a service that [services] does not offer."
        => "offer the service in [services]";
    "BH-WEB-056": "A client unsubscribed from something that it is not subscribed to."
        => "use the name of the subscription";
}
