//! Paths of targets by origin.

use super::*;

fn world() -> Origin {
    Origin::World { output_dir: PathBuf::from("/out") }
}

#[test]
fn a_path_of_the_user_is_used_as_it_is() {
    for path in ["run.mcap", "/var/log/run.mcap", "../run.mcap"] {
        assert_eq!(Origin::User.resolve(path).unwrap(), PathBuf::from(path));
    }
}

#[test]
fn a_path_of_a_world_is_inside_the_output_directory() {
    assert_eq!(world().resolve("logs/run.mcap").unwrap(), PathBuf::from("/out/logs/run.mcap"));
    assert_eq!(world().resolve("./a..b.mcap").unwrap(), PathBuf::from("/out/./a..b.mcap"));
}

#[test]
fn a_path_of_a_world_cannot_leave_the_output_directory() {
    for path in ["/etc/run.mcap", "../run.mcap", "a/../../run.mcap", ".."] {
        let error = world().resolve(path).unwrap_err().to_string();
        assert!(error.contains(&format!("`{path}` is outside the output directory `/out`")), "{error}");
    }
}
