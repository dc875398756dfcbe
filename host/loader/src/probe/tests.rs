//! Probes of misbehaving plugins, with this test binary as the child.

use super::*;
use crate::BareHosts;
use crate::tests::fixture::Shelf;

/// The child's side of the tests below. Without the arguments of a probe, it does nothing.
#[test]
fn child_process() {
    if let Some(request) = child::request(env::args_os()) {
        child::run(&request, &mut BareHosts).expect("the report is written");
    }
}

fn prober() -> Prober {
    let (_, module) = module_path!().split_once("::").expect("a module path");
    let test = format!("{module}::child_process");
    let arguments = [test.as_str(), "--exact", "--nocapture", "--test-threads=1", "--"].map(OsString::from);
    Prober::new(env::current_exe().expect("this binary"), arguments.to_vec())
}

fn probe(name: &str, macros: &[(&str, &str)]) -> ProbeReport {
    let shelf = Shelf::new();
    prober().probe_file(&shelf.plugin(name, macros))
}

#[track_caller]
fn assert_outcome(report: &ProbeReport, outcome: Outcome, code: Code, text: &str) {
    assert_eq!(report.outcome, outcome, "{report:?}");
    let refusal = report.refusal.as_ref().expect("a refusal");
    assert_eq!(refusal.code, code, "{refusal}");
    assert!(refusal.text.contains(text), "{refusal}");
}

#[test]
fn a_good_plugin_passes() {
    let report = probe("good", &[]);
    assert_eq!((report.outcome, &report.refusal), (Outcome::Ok, &None));
    assert_eq!(report.outcome.exit_code(), 0);
    let file = report.file.as_ref().expect("the child's report");
    assert_eq!(file["plugins"][0]["id"], "org.example.good");
    assert!(report.to_text().contains("libgood.so: ok ("), "{}", report.to_text());
}

#[test]
fn a_refused_plugin_is_reported_with_its_reason() {
    let report = probe("newer", &[("FIXTURE_ABI_MAJOR", "9")]);
    assert_outcome(&report, Outcome::Refused, Code::AbiVersion, "built for plugin ABI 9.0");
    assert_eq!(report.outcome.exit_code(), 1);
}

#[test]
fn a_crash_in_a_constructor_is_named() {
    let report = probe("crash", &[("FIXTURE_CONSTRUCTOR", "*(volatile int *)8 = 1")]);
    assert_outcome(
        &report,
        Outcome::Crashed,
        Code::Crashed,
        "by SIGSEGV (invalid memory access) while loading",
    );
    assert_eq!(report.outcome.exit_code(), 2);
}

#[test]
fn an_abort_while_creating_an_instance_is_reported_with_its_standard_error() {
    let abort = r#"fputs("out\x20of\x20ideas\n",stderr);abort()"#;
    let report = probe("quitter", &[("FIXTURE_CREATE", abort)]);
    assert_outcome(
        &report,
        Outcome::Crashed,
        Code::Crashed,
        "while creating and destroying an instance of `quitter`",
    );
    let refusal = report.refusal.expect("a refusal");
    assert!(refusal.text.contains("SIGABRT"), "{refusal}");
    assert_eq!(refusal.details.last().map(String::as_str), Some("out of ideas"));
}

#[test]
fn ending_the_process_with_success_is_a_crash() {
    let report = probe("leaver", &[("FIXTURE_CONSTRUCTOR", "exit(0)")]);
    assert_outcome(&report, Outcome::Crashed, Code::Crashed, "with exit status: 0 while loading");
}

#[test]
fn an_endless_loop_is_ended_at_the_time_limit_with_the_processes_that_it_started() {
    let shelf = Shelf::new();
    let list = shelf.path().join("ids");
    let constructor = format!(
        r#"fork();FILE*list=fopen("{}","a");fprintf(list,"%d\n",getpid());fclose(list);for(;;)pause()"#,
        list.display()
    );
    let path = shelf.plugin("loop", &[("FIXTURE_CONSTRUCTOR", constructor.as_str())]);
    let report = prober().with_timeout(Duration::from_secs(2)).probe_file(&path);
    assert_outcome(&report, Outcome::TimedOut, Code::TimedOut, "still running after 2s while loading");
    assert_eq!(report.outcome.exit_code(), 3);
    let ids = fs::read_to_string(&list).expect("the processes wrote their ids");
    let ids: Vec<&str> = ids.lines().collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    let deadline = clock::now() + Duration::from_secs(30);
    while ids.iter().any(|id| runs(id)) {
        assert!(clock::now() < deadline, "one of {ids:?} still runs");
        thread::yield_now();
    }
}

/// Whether a process exists and is no zombie.
fn runs(id: &str) -> bool {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The state follows the name, which is in parentheses.
    text.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[test]
fn a_failed_create_is_refused_with_the_explanation_of_the_plugin() {
    let create = r#"host->explain(host,bh_str_lit("no\x20licence"));return(BH_STATUS_FATAL)"#;
    let report = probe("unlicensed", &[("FIXTURE_CREATE", create)]);
    let text = "an instance of `unlicensed` cannot be created: `create` returned FATAL: no licence";
    assert_outcome(&report, Outcome::Refused, Code::CreateFailed, text);
}

#[test]
fn the_exit_code_for_a_folder_is_that_of_its_worst_file() {
    let shelf = Shelf::new();
    shelf.plugin("a", &[]);
    shelf.plugin("b", &[("FIXTURE_CONSTRUCTOR", "raise(SIGILL)")]);
    shelf.file("c.so", b"text");
    let reports = prober().probe(shelf.path());
    let outcomes: Vec<Outcome> = reports.iter().map(|report| report.outcome).collect();
    assert_eq!(outcomes, [Outcome::Refused, Outcome::Ok, Outcome::Crashed]);
    assert_eq!(exit_code(&reports), 2);
}

#[test]
fn nothing_to_probe_is_a_usage_error() {
    let shelf = Shelf::new();
    for path in [shelf.path().to_owned(), shelf.path().join("absent.so")] {
        let reports = prober().probe(&path);
        assert_eq!(exit_code(&reports), 4);
        assert!(reports[0].refusal.is_some());
    }
}
