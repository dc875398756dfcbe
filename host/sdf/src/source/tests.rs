//! Lines and columns.

use super::{Source, Span};
use std::path::Path;

#[test]
fn lines_and_columns_start_at_one_and_count_characters() {
    let source = Source::from_text("w.sdf", "ab\nüc\r\n\nd");
    let at = |text: &str| source.line_column(u32::try_from(source.text().find(text).unwrap()).unwrap());
    assert_eq!(source.line_column(0), (1, 1));
    assert_eq!(at("b"), (1, 2));
    assert_eq!(at("c"), (2, 2));
    assert_eq!(at("d"), (4, 1));
    assert_eq!(source.line_column(10_000), (4, 1), "beyond the end is the last line");
}

#[test]
fn columns_of_a_long_line_are_those_of_its_characters() {
    for length in [4090, 4095, 4096, 4097, 8192, 20_000] {
        let text: String = "aüb€".chars().cycle().take(length).collect();
        let source = Source::from_text("w.sdf", format!("\n{text}"));
        for (count, (at, _)) in source.text().char_indices().enumerate().skip(1) {
            let place = (2, u32::try_from(count).unwrap());
            assert_eq!(source.line_column(u32::try_from(at).unwrap()), place, "{length}");
        }
        let end = u32::try_from(source.text().len()).unwrap();
        assert_eq!(source.line_column(end), (2, u32::try_from(length).unwrap() + 1));
    }
}

#[test]
fn a_location_reads_as_file_line_column() {
    let source = Source::from_file(Path::new("worlds/w.sdf"), "<a>\n <b/></a>");
    assert_eq!(source.location(5).to_string(), "worlds/w.sdf:2:2");
    assert_eq!(source.folder(), Some(Path::new("worlds")));
}

#[test]
fn a_span_of_another_text_is_empty() {
    let source = Source::from_text("w", "äö");
    assert_eq!(source.slice(Span { start: 0, end: 2 }), "ä");
    assert_eq!(source.slice(Span { start: 1, end: 2 }), "", "inside a character");
    assert_eq!(source.slice(Span { start: 0, end: 99 }), "");
}
