//! The page `docs/sdf-agreement.md`, made from the tables.

use std::fmt::Write as _;
use std::{env, fs};

use super::incomplete::CASES;
use super::quote::Quote;
use super::table::{FILES, FORMS, VALUES, VERDICTS};
use crate::support::root;

fn page() -> String {
    let mut page = String::from(
        "<!-- Generated from the tests; they rewrite it with BRIDGEHEAD_UPDATE_DOCS=1. -->\n\n# Agreement with libsdformat\n\n",
    );
    let same = FILES - VERDICTS.len();
    let _ = writeln!(
        page,
        "A test reads {FILES} files of libsdformat's own tests and of Gazebo's examples and compares the results with those of libsdformat 12.3.\nThe verdict, valid or invalid by the standard, is the same for {same} of them.\nIn files that both consider valid, every pose, mass, inertia, shape, joint axis and limit agrees within 1e-6, except the values listed below.\n\nThe age of libsdformat 12.3 explains each difference: the quotation is from a later release of libsdformat or from a version of SDF that 12.3 does not read.\nThe files that are quoted are in the [repository of libsdformat](https://github.com/gazebosim/sdformat), which contains the specification too.\n"
    );
    verdicts(&mut page);
    values(&mut page);
    forms(&mut page);
    cases(&mut page);
    page
}

const fn word(is_valid: bool) -> &'static str {
    if is_valid { "valid" } else { "invalid" }
}

fn verdicts(page: &mut String) {
    page.push_str(
        "## Different verdicts\n\n| file | Bridgehead | libsdformat 12 | reason | quotation | source |\n|---|---|---|---|---|---|\n",
    );
    for verdict in VERDICTS {
        let (ours, theirs) = (word(verdict.ours), word(!verdict.ours));
        let (file, reason, quote) = (verdict.file, verdict.reason, verdict.quote.cells());
        let _ = writeln!(page, "| `{file}` | {ours} | {theirs} | {reason} | {quote} |");
    }
}

fn values(page: &mut String) {
    page.push_str(
        "\n## Different values\n\n| file | path | reason | quotation | source |\n|---|---|---|---|---|\n",
    );
    for value in VALUES {
        let quote = value.quote.cells();
        let _ = writeln!(page, "| `{}` | `…{}` | {} | {quote} |", value.file, value.suffix, value.reason);
    }
}

fn forms(page: &mut String) {
    page.push_str(
        "\n## Values of another form\n\n| value | reason | quotation | source |\n|---|---|---|---|\n",
    );
    for form in FORMS {
        let _ = writeln!(page, "| `{}` | {} | {} |", form.member, form.reason, form.quote.cells());
    }
    page.push_str(
        "\nThe parameters of cameras and lidars are not compared: this host does not interpret them, and passes the whole `<sensor>` to the plugin of the sensor.\nValues that only this host prints are not compared either.\n",
    );
}

fn cases(page: &mut String) {
    page.push_str(
        "\n## Incomplete files\n\nThese files are read as the present release of libsdformat reads them.\n\n| file | verdict | reading | quotation | source |\n|---|---|---|---|---|\n",
    );
    for case in CASES {
        let quote = case.quote.cells();
        let _ = writeln!(page, "| {} | {} | {} | {quote} |", case.what, word(case.is_valid), case.reading);
    }
}

#[test]
fn every_difference_has_a_source_that_is_later_than_libsdformat_12_3() {
    let verdicts = VERDICTS.iter().map(|verdict| (verdict.file, &verdict.quote));
    let values = VALUES.iter().map(|value| (value.file, &value.quote));
    let forms = FORMS.iter().map(|form| (form.member, &form.quote));
    let differences: Vec<(&str, &Quote)> = verdicts.chain(values).chain(forms).collect();
    for (name, quote) in differences {
        assert!(quote.is_complete(), "{name} has no source");
        assert!(quote.is_later_than_the_readings(), "{name}: {} does not explain it", quote.version);
    }
    for case in CASES {
        assert!(case.quote.is_complete(), "{} has no source", case.what);
    }
}

#[test]
fn the_page_on_agreement_is_up_to_date() {
    let path = root().join("docs/sdf-agreement.md");
    if env::var_os("BRIDGEHEAD_UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("the page is written");
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap_or_default(),
        page(),
        "set BRIDGEHEAD_UPDATE_DOCS=1 to rewrite it"
    );
}
