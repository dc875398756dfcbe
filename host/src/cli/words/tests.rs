//! The answers to the words of others, each of which this program accepts.

use super::super::args;
use super::*;

fn answered(words: &[&str]) -> Option<(String, String)> {
    let arguments: Vec<OsString> = ["bridgehead"].iter().chain(words).map(OsString::from).collect();
    let text = answer(&arguments, &args::command())?;
    let (asked, instead) = text.split_once("\n  try: ").expect("what to try");
    Some((asked.to_owned(), instead.trim_end().to_owned()))
}

fn instead(words: &[&str]) -> String {
    answered(words).expect("an answer").1
}

/// Splits a command line as a shell does, as far as the answers need it.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            letter => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}

#[test]
fn every_answer_is_a_command_line_of_this_program() {
    for command in COMMANDS {
        for example in command.examples {
            let line = (command.instead)(example);
            if line.starts_with("gz fuel") {
                continue;
            }
            let parsed = args::command().try_get_matches_from(shell_words(&line));
            assert!(parsed.is_ok(), "{}: {line}: {:?}", command.word, parsed.err());
        }
    }
    for flag in FLAGS {
        for spelling in flag.spellings {
            let line = instead(&["run", "a.sdf", spelling, "3"]);
            let parsed = args::command().try_get_matches_from(shell_words(&line));
            let takes_one_world = flag.has_value && flag.instead != Instead::Value;
            assert!(parsed.is_ok() || !takes_one_world, "{spelling}: {line}: {:?}", parsed.err());
        }
    }
}

#[test]
fn a_command_line_of_gazebo_is_translated_as_a_whole() {
    let given = ["sim", "-s", "-r", "-v", "4", "--iterations", "1000", "my world.sdf"];
    assert_eq!(instead(&given), "bridgehead run -v --iterations 1000 'my world.sdf'");
    assert_eq!(instead(&["sim", "-v4", "w.sdf"]), "bridgehead run -v w.sdf --start paused");
    assert_eq!(instead(&["run", "w.sdf", "-r", "-s"]), "bridgehead run w.sdf");
    assert_eq!(instead(&["run", "-v", "1", "w.sdf"]), "bridgehead run -qq w.sdf");
    assert_eq!(instead(&["run", "-worldFile", "w.world"]), "bridgehead run w.world");
}

#[test]
fn the_lines_of_others_about_topics_and_services_are_lines_of_this_program() {
    for habit in HABITS {
        for line in [habit.typed, habit.ours] {
            let parsed = args::command().try_get_matches_from(shell_words(&format!("bridgehead {line}")));
            assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
        }
    }
}

#[test]
fn the_program_with_the_word_is_named() {
    let (asked, _) = answered(&["model", "--list"]).expect("an answer");
    assert!(asked.starts_with("error[BH-CFG-001]: `model` is a command of Gazebo: "), "{asked}");
    let (asked, _) = answered(&["run", "--headless", "w.world"]).expect("an answer");
    assert!(asked.contains("`--headless` is a flag of CLOiSim: every run is headless here"), "{asked}");
}

#[test]
fn words_of_this_program_are_not_answered() {
    for words in [
        &["run", "-v", "w.sdf", "--nonsense"][..],
        &["frobnicate"],
        &["ctl", "-r"],
        &["topic", "-l", "--nonsense"],
        &["service", "--frobnicate"],
        &["run", "--record", "a.mcap"],
        &["world", "save", "in.sdf", "out.sdf"],
    ] {
        assert_eq!(answered(words), None, "{words:?}");
    }
}
