//! Tests of refused requests: each answer has a status, a code and a hint.

use serde_json::json;

use super::{paused, wait_for_state};

#[test]
fn invalid_json_is_refused_and_the_error_names_the_member() {
    let (running, client) = paused();
    let bodies = [
        ("{", "BH-MSG-030", ""),
        ("nonsense", "BH-MSG-03", ""),
        ("[]", "BH-MSG-03", ""),
        ("3", "BH-MSG-03", ""),
        ("{} {}", "BH-MSG-030", ""),
        (r#"{"entity": 3}"#, "BH-MSG-033", "entity"),
        (r#"{"entity": null}"#, "BH-MSG-03", "entity"),
        (r#"{"entity": "a", "entity": "b"}"#, "BH-MSG-03", "entity"),
        (r#"{"entitty": "a"}"#, "BH-MSG-031", "entitty"),
        ("{\"entity\": \"\u{0}\"}", "BH-MSG-030", "entity"),
    ];
    for (body, code, path) in bodies {
        let problem = client.post("/api/get_entity_state", body).expect(400);
        assert!(problem["code"].as_str().is_some_and(|found| found.starts_with(code)), "{body}: {problem}");
        assert_eq!(problem["path"], path, "{body}: {problem}");
    }
    let deep = "[".repeat(100_000);
    client.post("/api/get_entity_state", deep).expect(400);
    let nested = client.post("/api/set_simulation_state", r#"{"state": {"state": 256}}"#).expect(400);
    assert_eq!(nested["path"], "state.state");
    client.post("/api/get_entity_state", [0xff, 0xfe]).expect(400);
    assert_eq!(client.get("/api/get_entity_state?entity=box_a").status, 200, "the server still answers");
    drop(running);
}

#[test]
fn unknown_paths_are_404_and_unknown_services_list_the_existing_ones() {
    let (running, client) = paused();
    let problem = client.post("/api/get_entity_stat", "{}").expect(404);
    assert_eq!(problem["code"], "BH-WEB-021");
    assert!(problem["message"].as_str().is_some_and(|text| text.contains("`get_entity_state`")), "{problem}");
    assert!(
        problem["services"]
            .as_array()
            .is_some_and(|all| all.len() > 15 && all.contains(&json!("simulate_steps")))
    );
    for path in ["/api/", "/nothing", "/api/../secret", "/api/%00", "/healthz/more"] {
        let answer = client.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
        assert!(answer.text.contains("BH-WEB-02"), "{path}: {}", answer.text);
    }
    drop(running);
}

#[test]
fn unsupported_methods_are_405_with_the_allowed_ones() {
    let (running, client) = paused();
    for (method, path, allow) in [
        ("GET", "/api/pause", "POST"),
        ("PUT", "/api/pause", "POST"),
        ("DELETE", "/api/get_status", "GET, HEAD, POST"),
        ("OPTIONS", "/api/pause", "POST"),
        ("GET", "/api/simulate_steps", "POST"),
        ("POST", "/healthz", "GET, HEAD"),
        ("POST", "/api", "GET, HEAD"),
        ("BREW", "/metrics", "GET, HEAD"),
    ] {
        let answer =
            client.raw(&format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        assert!(answer.starts_with("HTTP/1.1 405 "), "{method} {path}: {answer}");
        let allowed = answer.lines().find_map(|line| line.strip_prefix("allow: ")).map(str::to_owned);
        let spaced = allowed.map(|allowed| allowed.replace(", ", ",").replace(',', ", "));
        assert_eq!(spaced.as_deref(), Some(allow), "{method} {path}: {answer}");
        assert!(answer.contains("BH-WEB-022"), "{answer}");
    }
    let head = client.raw("HEAD /api/get_status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
    drop(running);
}

#[test]
fn unknown_and_repeated_query_parameters_are_refused() {
    let (running, client) = paused();
    let problem = client.get("/api/get_entity_state?name=box_a").expect(400);
    assert_eq!((&problem["code"], &problem["path"]), (&json!("BH-WEB-026"), &json!("name")));
    assert_eq!(client.get("/api/get_entity_state?entity=a&entity=b").expect(400)["code"], "BH-WEB-027");
    drop(running);
}

#[test]
fn a_body_above_the_limit_is_refused_and_the_server_continues() {
    let (running, client) = paused();
    let problem = client.post("/api/get_entity_state", vec![b' '; (1 << 20) + 1]).expect(413);
    assert_eq!((&problem["code"], &problem["limit"]), (&json!("BH-WEB-023"), &json!(1 << 20)));
    client.post("/api/get_entity_state", vec![b' '; 1 << 20]).expect(200);
    drop(running);
}

#[test]
fn requests_of_foreign_hosts_and_origins_are_refused() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let send = |method: &str, path: &str, headers: &str| {
        client.raw(&format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n{headers}\r\n"
        ))
    };
    for (method, headers, code) in [
        ("POST", "Host: localhost\r\nOrigin: https://evil.example\r\n", "BH-WEB-011"),
        ("POST", "Host: localhost\r\nOrigin: null\r\n", "BH-WEB-011"),
        ("POST", "Host: evil.example\r\n", "BH-WEB-010"),
        ("GET", "Host: evil.example:80\r\n", "BH-WEB-010"),
    ] {
        let answer = send(method, "/api/get_status", headers);
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains(code), "{headers}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    }
    let list = "/api/get_spawnables?sources=%5B%22/%22%5D";
    for (path, headers) in [
        (list, "Origin: https://evil.example"),
        ("/api/get_spawnables", "Sec-Fetch-Site: cross-site"),
        ("/api/get_available_worlds", "Sec-Fetch-Site: same-site"),
    ] {
        let answer = send("GET", path, &format!("Host: localhost\r\n{headers}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("BH-WEB-011"), "{path}: {answer}");
    }
    for headers in
        ["", "Sec-Fetch-Site: none\r\n", "Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n"]
    {
        let answer = send("GET", "/api/get_available_worlds", &format!("Host: localhost\r\n{headers}"));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{headers}: {answer}");
    }
    assert!(
        send("POST", "/api/resume", "Host: localhost\r\nOrigin: http://localhost\r\n")
            .starts_with("HTTP/1.1 200 ")
    );
    drop(running);
}
