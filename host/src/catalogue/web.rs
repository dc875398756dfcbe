//! The HTTP server and what it answers.

use super::{Entry, entries};

entries! {
    // Starting.
    "BH-WEB-001": "The port that the HTTP server uses by default is taken; the run goes on without one."
        => "give another with `--http`, for example `--http 127.0.0.1:0` for one that is free, or `--http off`";
    "BH-WEB-002": "The HTTP server cannot listen where it was told to."
        => "end what listens there, or choose another address; port 0 is one that is free";
    "BH-WEB-003": "The HTTP server would be open to other machines without a token."
        => "set `token` or `token_file` in [http], or listen on 127.0.0.1";
    "BH-WEB-004": "The host name in the address of the HTTP server has no address."
        => "check the spelling, or give the address in numbers";
    "BH-WEB-005": "The operating system makes no thread or socket for the HTTP server."
        => "raise the limit on threads or open files";
    // Who is let in.
    "BH-WEB-010": "A request names a host in its `Host` header that is not this machine; a page of a stranger may be behind it."
        => "use 127.0.0.1, [::1] or localhost in the address";
    "BH-WEB-011": "A page of another origin asked for something that changes the run."
        => "use a client that is no page of a browser, or serve the page from the same host and port";
    "BH-WEB-012": "A request came without the token of the server, or with another one."
        => "send the header `Authorization: Bearer TOKEN`";
    "BH-WEB-013": "The server has as many connections as it may have."
        => "close some, or raise `connections` in [http]";
    // Requests.
    "BH-WEB-020": "There is nothing at this path."
        => "see `GET /api` for the services";
    "BH-WEB-021": "There is no service of this name."
        => "use one of those listed; [services] may have renamed it";
    "BH-WEB-022": "The path is not asked with this method."
        => "use one of those in the header `Allow`";
    "BH-WEB-023": "The body of a request is too long."
        => "send less, or raise `body_limit` in [http]";
    "BH-WEB-024": "The body of a request did not come in time."
        => "send it at once";
    "BH-WEB-025": "The body of a request is no UTF-8, or was cut short."
        => "send JSON as UTF-8";
    "BH-WEB-026": "The query of an address has a member that the request of the service has not."
        => "use one of the members listed";
    "BH-WEB-027": "A member in the query of an address is given twice, or its value is no JSON of its type."
        => "give each member once; write lists and messages as JSON";
    // Answers.
    "BH-WEB-030": "The run ended before a call was answered."
        => "start the host again";
    "BH-WEB-031": "A service failed without a response."
        => "see the log of the host";
    "BH-WEB-032": "The response of a service cannot be written as JSON."
        => "report it, with the request: this is a defect of the host";
    // Goals of actions.
    "BH-WEB-040": "There is no goal of this id, or it was forgotten."
        => "use the `goal_id` that came back when the goal was posted";
    "BH-WEB-041": "A goal cannot be cancelled, because it has ended."
        => "ask for its result";
    "BH-WEB-042": "The query of a goal is not understood."
        => "write `?wait=SECONDS`, or nothing";
    // WebSocket.
    "BH-WEB-050": "The path is that of the WebSocket, and the request does not open one."
        => "use a client for WebSockets: `ws://HOST:PORT/ws`";
    "BH-WEB-051": "What a client sent over the WebSocket is not understood."
        => "write `{\"op\": \"subscribe\", \"what\": \"state\"}`, with a `rate` per second if wanted";
    "BH-WEB-052": "A client sent a binary frame over the WebSocket."
        => "send JSON as text";
    "BH-WEB-053": "There is nothing of this name to subscribe to."
        => "use `state`, `feedback`, `status`, `statistics`, or `topic:` and the full name of a topic";
    "BH-WEB-054": "A client has as many subscriptions as it may have."
        => "unsubscribe from some, or open another WebSocket";
    "BH-WEB-055": "A subscription needs a service that [services] has taken away."
        => "offer the service, or do without";
    "BH-WEB-056": "A client unsubscribed from what it had not subscribed to."
        => "name it as it was subscribed to";
}
