//! The grammar, tried with strings that are right and wrong.

use std::net::SocketAddr;

use super::*;
use crate::error::Error;

static SERVER: Form = Form {
    code: "T-1",
    target: Some(Target::new("ADDRESS", "an address").or("127.0.0.1:1").formerly("listen=")),
    keys: &[
        &[Key::token("Secret.")],
        &[
            Key::new("count", "a number from 1 to 9", "2", "How many."),
            Key::new("fast", "true or false", "false", "Whether it is fast."),
        ],
    ],
    example: ":5;count=3",
};
static FILE: Form = Form {
    code: "T-2",
    target: Some(Target::path("FILE", "a path")),
    keys: &[&[Key::new("topics", "patterns", "*", "Topics.")]],
    example: "a.txt",
};
static OPTIONS: Form = Form {
    code: "T-3",
    target: None,
    keys: &[&[Key::new("a", "anything", "none", "A."), Key::new("b", "anything", "none", "B.")]],
    example: "a=1",
};
static SCHEME: Form = Form {
    code: "T-4",
    target: Some(Target::new("ADDRESS", "an address").or("127.0.0.1:1").formerly("listen://")),
    keys: &[],
    example: ":5",
};

type Parts = (Option<String>, Vec<(String, String)>);

/// The target and the options as they were split.
fn parts(form: &'static Form, text: &str) -> Result<Parts, String> {
    let options = form.read(text).map_err(|error| error.text().to_owned())?;
    let given = options.given.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Ok((options.target_text().map(str::to_owned), given.collect()))
}

fn expect(form: &'static Form, text: &str, target: &str, given: &[(&str, &str)]) {
    let target = (!target.is_empty()).then(|| target.to_owned());
    let given = given.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    assert_eq!(parts(form, text), Ok((target, given)), "{text:?}");
}

#[test]
fn a_string_is_split_into_its_target_and_options() {
    for text in [":5;count=3;fast=true", " :5 ; count = 3;fast=true; ", ":5;;count=3 ;fast=true;;"] {
        expect(&SERVER, text, ":5", &[("count", "3"), ("fast", "true")]);
    }
    for text in ["", " ", ";", " ;; "] {
        expect(&SERVER, text, "", &[]);
        expect(&OPTIONS, text, "", &[]);
    }
    expect(&SERVER, "count=3", "", &[("count", "3")]);
    expect(&SERVER, ";count=3", "", &[("count", "3")]);
    expect(&SERVER, "count=", "", &[("count", "")]);
    expect(&SERVER, "ws://h/?token=a;count=3", "ws://h/?token=a", &[("count", "3")]);
    expect(&OPTIONS, "b=x=y;a=1", "", &[("b", "x=y"), ("a", "1")]);
}

/// Every `;` that no key follows belongs to the part.
#[test]
fn each_byte_of_a_path_counts() {
    for path in [
        "a;b.txt",
        "a=b.txt",
        " a.txt",
        "a b;c d.txt",
        "dir;x/A=1.txt",
        "tópics=1;ö=2.txt",
        "x;.txt",
        "a;;topics.txt",
    ] {
        expect(&FILE, path, path, &[]);
        expect(&FILE, &format!("{path};topics=/a"), path, &[("topics", "/a")]);
        expect(&FILE, &format!("{path};topics=/a;b;"), path, &[("topics", "/a;b")]);
    }
    expect(&FILE, "topics=/a", "", &[("topics", "/a")]);
}

#[test]
fn wrong_parts_are_named_with_the_expected_form() {
    let usage = "expected [ADDRESS];key=value;… with the keys token, count and fast, such as :5;count=3";
    for (text, what) in [
        ("speed=1", "`speed=` is not a known key"),
        (":5;speed=1", "`speed=` is not a known key"),
        (":5;count=1;count=2", "`count=` is given twice"),
        ("listen=:5;listen=:6", "`listen=` is given twice"),
        (":5;listen=:6", "`listen=` is given twice"),
    ] {
        assert_eq!(parts(&SERVER, text), Err(format!("[T-1] connection string: {what}; {usage}")), "{text}");
    }
    let usage = "expected key=value;… with the keys a and b, such as a=1";
    for (text, what) in [
        ("x", "`x` is not of the form `key=value`"),
        ("c=1", "`c=` is not a known key"),
        ("A=1", "`A=1` is not of the form `key=value`"),
    ] {
        assert_eq!(parts(&OPTIONS, text), Err(format!("[T-3] connection string: {what}; {usage}")), "{text}");
    }
    let error = parts(&FILE, "a.txt;x=1").expect_err("an unknown key");
    let text = "[T-2] connection string: `x=` is not a known key; expected FILE;key=value;… with the key topics, such as a.txt";
    assert_eq!(error, text);
}

#[test]
fn old_forms_are_the_target() {
    expect(&SERVER, "listen=:5;count=3", ":5", &[("count", "3")]);
    expect(&SERVER, "count=3;listen=:5", ":5", &[("count", "3")]);
    expect(&SCHEME, "listen://:5", ":5", &[]);
    expect(&SCHEME, "listen://", "", &[]);
}

fn read(text: &str) -> Options<'_> {
    SERVER.read(text).expect("a string of the form")
}

#[test]
fn values_are_read_and_wrong_ones_shown() {
    assert_eq!(read("count=9").number("count", 1..=9), Ok(Some(9_u8)));
    assert_eq!(read("").number::<u8>("count", 1..=9), Ok(None));
    assert_eq!(read("fast=true").flag("fast"), Ok(Some(true)));
    assert_eq!(read("token=a!b").secret("token"), Ok(Some("a!b".to_owned())));
    let begins = |error: Error, text: &str| {
        let text = format!("[T-1] connection string: {text}; expected ");
        assert!(error.text().starts_with(&text), "{error}");
    };
    for wrong in ["0", "10", "-1", "1.5", "x", "1;x", "99999999999999999999"] {
        let text = format!("count={wrong}");
        let error = read(&text).number::<u8>("count", 1..=9).expect_err(wrong);
        begins(error, &format!("`count=` must be a number from 1 to 9, found `{wrong}`"));
    }
    let error = read("fast=yes").flag("fast").expect_err("neither");
    begins(error, "`fast=` must be true or false, found `yes`");
    let error = read("fast=").flag("fast").expect_err("neither");
    begins(error, "`fast=` must be true or false, found nothing");
    let error = read(":x").target(|text| text.parse::<u8>().ok()).expect_err("no number");
    begins(error, "ADDRESS must be an address, found `:x`");
}

#[test]
fn a_secret_is_shown_in_no_error() {
    for secret in ["a b", "sécret", "s\u{7}t", "a;b"] {
        let text = format!("token={secret}");
        let error = SERVER.read(&text).expect("split").secret("token").expect_err(secret);
        assert!(
            !error.text().contains(secret) && error.text().contains("`token=` must be a secret"),
            "{error}"
        );
    }
}

#[test]
fn addresses_of_servers_have_defaults() {
    let default = SocketAddr::from(([127, 0, 0, 1], 9));
    for (text, expected) in [
        ("", Some("127.0.0.1:9")),
        ("127.0.0.1", Some("127.0.0.1:9")),
        ("127.0.0.1/", Some("127.0.0.1:9")),
        (":7", Some("127.0.0.1:7")),
        ("localhost", Some("127.0.0.1:9")),
        ("localhost:7", Some("127.0.0.1:7")),
        ("*:7", Some("0.0.0.0:7")),
        ("0.0.0.0:7", Some("0.0.0.0:7")),
        ("::1", Some("[::1]:9")),
        ("[::1]", Some("[::1]:9")),
        ("[::1]:7", Some("[::1]:7")),
        ("robot:7", None),
        ("127.0.0.1:", None),
        ("127.0.0.1:70000", None),
        ("256.0.0.1", None),
        ("[::1", None),
        (":", None),
        ("ws://127.0.0.1", None),
    ] {
        let found = listen_address(text, default).map(|address| address.to_string());
        assert_eq!(found.as_deref(), expected, "{text}");
    }
}

#[test]
fn the_documentation_has_a_row_for_each_part() {
    let expected = "`[ADDRESS];key=value;…`, such as `:5;count=3`\n\n\
        | Part | Expected | Default | Meaning |\n|---|---|---|---|\n\
        | `ADDRESS` | an address | `127.0.0.1:1` | |\n\
        | `token=` | a secret of visible ASCII characters without spaces and semicolons | none | Secret. |\n\
        | `count=` | a number from 1 to 9 | `2` | How many. |\n\
        | `fast=` | true or false | `false` | Whether it is fast. |\n";
    assert_eq!(SERVER.markdown(), expected);
    assert!(FILE.markdown().contains("| `FILE` | a path | none, required | |"));
}

#[test]
fn peers_are_names_or_addresses_with_a_port() {
    for (text, default, expected) in [
        ("robot:7", None, Some("robot:7")),
        (" robot ", Some(9), Some("robot:9")),
        ("robot", None, None),
        ("127.0.0.1", Some(9), Some("127.0.0.1:9")),
        ("::1", Some(9), Some("[::1]:9")),
        ("[::1]:7", Some(9), Some("[::1]:7")),
        ("[::1]", Some(9), Some("[::1]:9")),
        ("[::1]7", Some(9), None),
        ("robot:0", Some(9), None),
        ("robot:", Some(9), None),
        ("robot:70000", Some(9), None),
        (":7", Some(9), None),
        ("", Some(9), None),
        ("a b:7", None, None),
        ("http://robot:7", None, None),
    ] {
        let found = Peer::parse(text, default).map(|peer| peer.to_string());
        assert_eq!(found.as_deref(), expected, "{text}");
    }
    assert!(Peer::parse(&format!("{}:7", "a".repeat(254)), None).is_none());
    let local = Peer::parse("127.0.0.1:7", None).expect("a peer").look_up().expect("an address");
    assert_eq!(local, [SocketAddr::from(([127, 0, 0, 1], 7))]);
}
