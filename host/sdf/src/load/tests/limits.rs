//! Readings that end at a limit or are cancelled, with generated files that include each other.

use crate::limits::Limit;
use crate::{
    Budget, Cancel, Code, FileKind, Files, InMemory, LoadError, Loaded, ReadError, SearchPath, Xacro,
    load_with,
};
use proptest::prelude::*;
use std::cell::Cell;
use std::path::Path;

fn load(files: &dyn Files, budget: &Budget) -> Result<Loaded, LoadError> {
    load_with(files, Path::new("/m0.sdf"), &SearchPath::default(), budget)
}

/// A model with links and with includes of other files by number.
fn model(number: usize, links: usize, includes: &[usize]) -> String {
    let links: String = (0..links).map(|link| format!("<link name='l{link}'/>\n")).collect();
    let include = |(at, target): (usize, &usize)| {
        format!("<include><name>i{at}</name><uri>m{target}.sdf</uri></include>\n")
    };
    let includes: String = includes.iter().enumerate().map(include).collect();
    format!("<sdf version='1.9'><model name='m{number}' >\n{links}{includes}</model></sdf>")
}

/// Models of which each includes the next one twice.
fn doubling(levels: usize) -> InMemory {
    let inner = |number| model(number, 1, &[number + 1, number + 1]);
    let last = InMemory::new().with(format!("/m{levels}.sdf"), model(levels, 1, &[]));
    (0..levels).fold(last, |files, number| files.with(format!("/m{number}.sdf"), inner(number)))
}

#[test]
fn includes_that_double_end_with_one_finding_at_the_include() {
    let budget = Budget::default();
    let error = load(&doubling(25), &budget).unwrap_err();
    assert_eq!((error.cause.code, error.diagnostics.len()), (Code::LimitExceeded, 0));
    let place = error.cause.location.as_ref().expect("a place");
    assert!(place.line > 1 && place.path.ends_with("/include/uri"), "{place:?}");
    assert!(error.to_string().contains("more than 10000 files"), "{error}");
    assert!(budget.used(Limit::Elements) < 200_000, "{budget:?}");
}

#[test]
fn a_chain_of_includes_and_nested_models_end_at_their_depth() {
    let chain = (0..100).fold(InMemory::new(), |files, number| {
        files.with(format!("/m{number}.sdf"), model(number, 1, &[number + 1]))
    });
    let error = load(&chain, &Budget::default()).unwrap_err().to_string();
    assert!(
        error.contains("/m31.sdf:") && error.contains("more than 32 files that include each other"),
        "{error}"
    );
    let nested: String = (0..100).map(|level| format!("<model name='m{level}'>")).collect();
    let nested = format!("<sdf version='1.9'>{nested}<link name='l'/>{}</sdf>", "</model>".repeat(100));
    let error = load(&InMemory::new().with("/m0.sdf", nested), &Budget::default()).unwrap_err().to_string();
    assert!(
        error.contains("/m0.sdf:1:") && error.contains("more than 64 models inside each other"),
        "{error}"
    );
}

#[test]
fn long_names_of_nested_models_are_paid_for() {
    let begin: String = (0..60).map(|_| format!("<model name='{}'>", "n".repeat(255))).collect();
    let links: String = (0..10_000).map(|link| format!("<link name='l{link}'/>\n")).collect();
    let text = format!("<sdf version='1.9'>{begin}\n{links}{}</sdf>", "</model>".repeat(60));
    let error = load(&InMemory::new().with("/m0.sdf", text), &Budget::default()).unwrap_err();
    assert!(error.to_string().contains("bytes in the full names"), "{error}");
}

#[test]
fn large_files_many_attributes_and_many_findings_are_limits_too() {
    let load_text =
        |text: String, budget: Budget| load(&InMemory::new().with("/m0.sdf", text), &budget).unwrap_err();
    let large = load_text(model(0, 100, &[]), Budget::default().with(Limit::TextFile, 1000));
    assert!(large.to_string().contains("/m0.sdf:1:1: more than 1000 bytes in a text file"), "{large}");
    let attributes: String = (0..300).map(|number| format!(" a{number}=''")).collect();
    let many = load_text(format!("<sdf version='1.9'>\n<model{attributes}/></sdf>"), Budget::default());
    assert!(many.to_string().contains("/m0.sdf:2:1: more than 256 attributes"), "{many}");
    let equal = "<link name='same'/>\n".repeat(20_000);
    let text = format!("<sdf version='1.9'><model name='m'>\n{equal}</model></sdf>");
    let findings = load_text(text, Budget::default());
    assert_eq!(findings.diagnostics.len(), 10, "the first ones");
    assert!(findings.diagnostics.iter().all(|finding| finding.code == Code::DuplicateName));
    assert!(findings.to_string().contains("/m0.sdf:10003:1"), "{findings}");
}

/// Files that cancel the reading when one of them is read for the n-th time.
struct Cancelling {
    files: InMemory,
    left: Cell<usize>,
    cancel: Cancel,
}

impl Files for Cancelling {
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError> {
        self.left.set(self.left.get().saturating_sub(1));
        if self.left.get() == 0 {
            self.cancel.cancel();
        }
        self.files.read(path, most)
    }

    fn expand(&self, xacro: Xacro<'_>, most: u64) -> Result<String, ReadError> {
        self.files.expand(xacro, most)
    }

    fn kind(&self, path: &Path) -> FileKind {
        self.files.kind(path)
    }
}

#[test]
fn a_cancelled_reading_ends_before_the_next_file() {
    for reads in 1..20 {
        let cancel = Cancel::default();
        let files = Cancelling { files: doubling(10), left: Cell::new(reads), cancel: cancel.clone() };
        let budget = Budget::default().cancelled_by(&cancel);
        let error = load(&files, &budget).unwrap_err();
        assert_eq!((error.cause.code, error.diagnostics.len()), (Code::Cancelled, 0));
        assert_eq!(budget.used(Limit::Files), reads as u64);
    }
}

/// Files of which each includes only later ones.
fn any_files() -> impl Strategy<Value = Vec<(usize, Vec<usize>)>> {
    prop::collection::vec((1_usize..4, prop::collection::vec(1_usize..4, 0..4)), 1..8)
}

proptest! {
    #[test]
    fn a_reading_ends_at_a_limit_if_and_only_if_its_files_expand_beyond_it(
        files in any_files(),
        elements in 1_u64..300,
        most_files in 1_u64..60,
    ) {
        let last = files.len() - 1;
        let targets = |number: usize| -> Vec<usize> {
            let includes = files[number].1.iter().map(|step| number + step);
            includes.filter(|target| *target <= last).collect()
        };
        let mut expanded = vec![(0_u64, 0_u64); files.len()];
        let mut all = InMemory::new();
        for number in (0..files.len()).rev() {
            let (links, includes) = (files[number].0, targets(number));
            let own = (2 + links + 3 * includes.len()) as u64;
            let sum = |of: fn(&(u64, u64)) -> u64| includes.iter().map(|at| of(&expanded[*at])).sum::<u64>();
            expanded[number] = (own + sum(|at| at.0), 1 + sum(|at| at.1));
            all = all.with(format!("/m{number}.sdf"), model(number, links, &includes));
        }
        let budget = Budget::default().with(Limit::Elements, elements).with(Limit::Files, most_files);
        let (needed, needed_files) = expanded[0];
        match load(&all, &budget) {
            Ok(loaded) => {
                prop_assert!(needed <= elements && needed_files <= most_files);
                prop_assert_eq!((budget.used(Limit::Elements), budget.used(Limit::Files)), (needed, needed_files));
                prop_assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
            }
            Err(error) => {
                prop_assert!(needed > elements || needed_files > most_files);
                prop_assert_eq!(error.cause.code, Code::LimitExceeded);
                prop_assert!(error.diagnostics.is_empty() && error.cause.location.is_some());
                prop_assert!(budget.used(Limit::Elements) <= elements + 1 && budget.used(Limit::Files) <= most_files + 1);
            }
        }
    }
}
