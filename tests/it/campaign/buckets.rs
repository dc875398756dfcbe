//! Stores in a bucket, with a stand-in for S3 from PyPI, for tests that may take minutes.
//!
//! The program of the release build has the client for buckets; that of the tests has none.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::stage::{CAMPAIGN, Ended, Stage};
use crate::support::{
    build_release, eventually, free_port, is_long, release, root, skipped, succeed, target,
};

/// The stand-in, and the version that is known to refuse the creation of an object that exists.
const STAND_IN: &str = "moto[server,s3]==5.2.5";
const STORE: &str = "s3://robots/nightly/c";

/// A service with a bucket.
struct Service {
    server: Child,
    address: String,
    python: PathBuf,
}

impl Service {
    /// Starts the service, or skips the test.
    #[track_caller]
    fn start(stage: &Stage) -> Option<Self> {
        if !is_long() {
            // Also in continuous integration, which has no time for it.
            skipped("the tests with buckets run with BRIDGEHEAD_LONG=1");
            return None;
        }
        build_release();
        stage.use_program(&release().join("bridgehead"));
        let folder = target().with_file_name("moto");
        let python = folder.join("bin/python");
        if !folder.join("complete").exists() {
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder));
            succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", STAND_IN]));
            fs::write(folder.join("complete"), STAND_IN).expect("written");
        }
        let port = free_port().to_string();
        let mut server = Command::new(&python);
        server.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port]);
        let log = fs::File::create(stage.path("service.log")).expect("a log");
        server.stdin(Stdio::null()).stdout(log.try_clone().expect("a copy")).stderr(log);
        let server = server.spawn().expect("the service starts");
        let service = Service { server, address: format!("http://127.0.0.1:{port}"), python };
        eventually("the service has a bucket", || {
            service.objects().args(["create", "robots"]).output().is_ok_and(|output| output.status.success())
        });
        Some(service)
    }

    fn objects(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(root().join("tests/it/campaign/bucket.py")).arg(&self.address);
        command
    }

    /// The names of the objects of the store that begin with this.
    fn names(&self, prefix: &str) -> Vec<String> {
        let output = succeed(self.objects().args(["list", "robots", &format!("nightly/c/{prefix}")]));
        output.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// Prepares `bridgehead campaign` for this service.
    fn command(&self, stage: &Stage, arguments: &[&str]) -> Command {
        let mut command = stage.command(arguments);
        command.env("AWS_ENDPOINT_URL", &self.address).env("AWS_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", "testing").env("AWS_SECRET_ACCESS_KEY", "testing");
        command
    }

    fn campaign(&self, stage: &Stage, arguments: &[&str]) -> Ended {
        self.command(stage, arguments).output().expect("the program starts").into()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

#[test]
fn a_bucket_has_the_results_of_a_folder_and_compares_duplicates() {
    let stage = Stage::new();
    let Some(service) = Service::start(&stage) else { return };
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    let ended = service.campaign(&stage, &["run", "c.toml", "--store", STORE]).expect_code(8);
    ended.expect(&["8, 4 passed, 4 failed", "c.campaign/report.html"]);
    assert_eq!(stage.lasting_table("c.campaign"), stage.lasting_table("pool"));
    assert_eq!(service.names("entries/").len(), 8);
    assert!(service.names("files/").iter().filter(|name| name.ends_with("/log.txt")).count() == 4);

    // Nothing is executed again, and what is executed twice at the same time is stored once.
    let again = service.campaign(&stage, &["run", "c.toml", "--store", STORE]).expect_code(8);
    assert!(!again.stderr.contains("running"), "{}", again.stderr);
    let files = service.names("files/");
    let shard = ["shard", "1/1", "--store", STORE, "--again"];
    let mut both = [(), ()].map(|()| {
        let mut command = service.command(&stage, &shard);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    });
    both.iter_mut().for_each(|child| assert_eq!(child.wait().expect("our child").code(), Some(0)));
    assert_eq!(service.names("files/"), files);
    assert_eq!(service.names("conflicts/"), [""; 0]);

    // A forged result is found by executing the run again.
    let key = stage.table("c.campaign")[0]["key"].clone();
    let (object, file) = (format!("nightly/c/entries/{key}.json"), stage.path("entry.json"));
    succeed(service.objects().args(["get", "robots", &object]).arg(&file));
    super::stores::forge(&file);
    succeed(service.objects().args(["put", "robots", &object]).arg(&file));
    let forged = service.campaign(&stage, &["run", "c.toml", "--store", STORE, "--again"]).expect_code(9);
    forged.expect(&["BH-CAM-024", &key, "0123456789abcdef"]);
    assert_eq!(service.names("conflicts/").len(), 1);
    // A changed one by its seal.
    fs::write(&file, "{}").expect("written");
    succeed(service.objects().args(["put", "robots", &object]).arg(&file));
    let damaged = service.campaign(&stage, &["report", "--store", STORE, "--output", "out"]).expect_code(9);
    damaged.expect(&["BH-CAM-023", &format!("s3://robots/{object}"), "out/report.html"]);
}

#[test]
fn two_processes_that_store_the_same_run_at_the_same_time_leave_one_entry() {
    let stage = Stage::new();
    let Some(service) = Service::start(&stage) else { return };
    service.campaign(&stage, &["plan", "c.toml", "--store", STORE]).expect_code(0);
    let mut all = [(); 3].map(|()| {
        let mut command = service.command(&stage, &["shard", "1/1", "--store", STORE, "--jobs", "1"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    });
    all.iter_mut().for_each(|child| assert_eq!(child.wait().expect("our child").code(), Some(0)));
    assert_eq!(service.names("entries/").len(), 8);
    let results = service.names("files/").iter().filter(|name| name.ends_with("/result.json")).count();
    assert_eq!(results, 8, "the files of dropped results were removed");
}

#[test]
fn after_a_kill_a_bucket_gets_what_is_missing() {
    let stage = Stage::new();
    let Some(service) = Service::start(&stage) else { return };
    stage.write("c.toml", &CAMPAIGN.replace("count = 2", "count = 8"));
    stage.campaign(&["run", "c.toml", "--store", "pool"]).expect_code(8);
    let mut command = service.command(&stage, &["run", "c.toml", "--store", STORE, "--jobs", "2"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    eventually("some entries", || service.names("entries/").len() >= 5);
    child.kill().expect("killed");
    child.wait().expect("our child");
    let before = service.names("entries/").len();
    assert!((5..32).contains(&before), "{before}");
    let ended = service.campaign(&stage, &["run", "c.toml", "--store", STORE]).expect_code(8);
    let missing = 32 - before;
    assert!(ended.stderr.contains(&format!("{missing} of {missing} runs")), "{}", ended.stderr);
    assert_eq!(stage.lasting_table("c.campaign"), stage.lasting_table("pool"));
}

#[test]
fn a_bucket_that_cannot_be_used_is_named() {
    let stage = Stage::new();
    let Some(mut service) = Service::start(&stage) else { return };
    let missing = service.campaign(&stage, &["run", "c.toml", "--store", "s3://ghost/a"]).expect_code(1);
    missing.expect(&["BH-CAM-027", "s3://ghost/a"]);
    let empty = service.campaign(&stage, &["report", "--store", STORE]).expect_code(1);
    empty.expect(&["BH-CAM-022", STORE, "plan.json"]);
    service.campaign(&stage, &["plan", "c.toml", "--store", STORE]).expect_code(0);
    stage.write("other.toml", CAMPAIGN);
    let other = service.campaign(&stage, &["plan", "other.toml", "--store", STORE]).expect_code(1);
    other.expect(&["BH-CAM-021", STORE, "`c`", "`other`"]);
    service.server.kill().expect("killed");
    service.server.wait().expect("our child");
    let dead = service.campaign(&stage, &["run", "c.toml", "--store", STORE]).expect_code(1);
    dead.expect(&["BH-CAM-020", "s3://robots/nightly/c/campaign.json"]);
}

#[test]
fn a_program_without_a_client_for_buckets_says_so() {
    let stage = Stage::new();
    let refused = stage.campaign(&["run", "c.toml", "--store", STORE]).expect_code(1);
    refused.expect(&["BH-CAM-026", STORE, "--features s3"]);
    for (address, part) in [("gs://robots", "`gs`"), ("s3://", "name of a bucket"), ("s3://a/../b", "`../b`")]
    {
        let refused = stage.campaign(&["report", "--store", address]);
        assert_ne!(refused.code, Some(0));
        refused.expect(&[part]);
    }
}

#[test]
fn the_tests_of_the_store_pass_with_objects_in_memory() {
    if !is_long() {
        return skipped("the tests with buckets run with BRIDGEHEAD_LONG=1");
    }
    let mut tests = Command::new(env!("CARGO"));
    tests.args(["test", "--package", "bridgehead-campaign", "--features", "s3", "--lib", "store::objects"]);
    tests.env("CARGO_TARGET_DIR", target().parent().expect("the folder of all builds")).current_dir(root());
    let output = succeed(&mut tests);
    assert!(output.contains("4 passed; 0 failed"), "{output}");
}
