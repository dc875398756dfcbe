//! Requests as clients send them, and texts that are none.

use serde_json::json;

use super::*;

#[test]
fn the_request_of_a_real_client_is_read() {
    let read = parse("{'command':'device_list', 'filter':''}");
    assert_eq!(read, Ok(json!({ "command": "device_list", "filter": "" })));
}

#[test]
fn plain_json_is_read() {
    let text = r#" {"a": [1, -2.5, 1e3, true, false, null, "x\"\u00e9\n\ud83d\ude00"], "b": {"c": {}}} "#;
    assert_eq!(parse(text), Ok(serde_json::from_str(text).expect("JSON")));
}

#[test]
fn what_people_write_is_read() {
    assert_eq!(parse("{a: 'it\\'s', b_1: \"it's\",}"), Ok(json!({ "a": "it's", "b_1": "it's" })));
    assert_eq!(parse("[+1, .5, True, None,]"), Ok(json!([1, 0.5, true, null])));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("", "ends where a value"),
        ("{", "ends where a key or `}`"),
        ("{'a' 1}", "`1` at byte 5 where `:`"),
        ("{'a':1 'b':2}", "`'` at byte 7 where `,` or `}`"),
        ("['a'", "`,` or `]`"),
        ("'abc", "ends within quotes"),
        ("'\\u12", "four hexadecimal digits"),
        ("1x", "`1x` at byte 0 is no number"),
        ("NaN", "`NaN` at byte 0"),
        ("{} x", "`x` at byte 3 where the end"),
    ];
    for (text, part) in cases {
        let error = parse(text).expect_err(text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn depth_is_limited() {
    assert!(parse(&"[".repeat(100_000)).expect_err("too deep").contains("more than 32 levels"));
}

#[test]
fn no_text_makes_it_panic() {
    let letters = ['{', '}', '[', ']', '\'', '"', ':', ',', '\\', 'u', 'd', '8', '0', '-', 'é', ' ', 't'];
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push(letters[usize::try_from(seed >> 33).expect("a number") % letters.len()]);
        }
        let _ = parse(&text);
    }
}
