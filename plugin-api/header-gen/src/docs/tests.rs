//! Names in the prose, read against the real ABI.

use super::*;
use crate::abi_sources;

fn lines(module: &str, docs: &str) -> Vec<String> {
    Documenter::new(&Source::read(&abi_sources()).unwrap()).lines(module, docs, 0)
}

#[test]
fn links_and_code_spans_become_c_names() {
    assert_eq!(lines("bridge", "See [`TxMessage::endpoint`]."), ["See `bh_tx_message.endpoint`."]);
    assert_eq!(lines("entry", "[`crate::bridge::BridgeFactory`] it is"), ["`bh_bridge_factory` it is"]);
    assert_eq!(lines("entry", "the [`LayoutRow`](crate::LayoutRow)s"), ["the `bh_layout_row`s"]);
    assert_eq!(lines("lib", "a [word](#words), `sizeof` kept"), ["a word, `sizeof` kept"]);
    assert_eq!(lines("host", "`bh` and a lone ` stay"), ["`bh` and a lone ` stay"]);
}

#[test]
fn families_and_status_words_get_their_prefix() {
    assert_eq!(
        lines("bridge", "One of the `STATUS_` constants."),
        ["One of the `BH_BRIDGE_STATUS_` constants."]
    );
    assert_eq!(lines("model", "a `REQUEST_` status"), ["a `BH_STATUS_REQUEST_` status"]);
    assert_eq!(
        lines("bridge", "TIMEOUT when none came, OK else"),
        ["BH_STATUS_TIMEOUT when none came, BH_STATUS_OK else"]
    );
}

#[test]
fn tags_stand_on_a_line_of_their_own_and_comments_cannot_end_early() {
    assert_eq!(
        lines("host", "Reads.\n`[thread: any] [state: any]`"),
        ["Reads.", "[thread: any] [state: any]"]
    );
    assert_eq!(lines("host", "```c\na */ b\n```"), ["    a * / b"]);
}

#[test]
fn paragraphs_are_filled_and_lists_are_not() {
    let filled = lines("host", &"word ".repeat(40).trim_end().replace(" word word word", " word word\nword"));
    assert!(filled.iter().all(|line| line.len() <= 97) && filled.len() == 3, "{filled:?}");
    assert_eq!(lines("host", "1. one\n2. two"), ["1. one", "2. two"]);
}
