//! Plugins in Python that are wrong, fail, hang or misuse their process.

use super::{car, head, setup};

/// Runs a model plugin with these lines for a tenth of a second.
#[track_caller]
fn run(script: &str) -> Option<crate::support::Finished> {
    run_with("", script)
}

/// The same with these settings.
#[track_caller]
fn run_with(settings: &str, script: &str) -> Option<crate::support::Finished> {
    let setup = setup("faulty", &(head("model") + "from bridgehead.plugin import ModelPlugin\n" + script))?;
    let sdf = car("", "<plugin name='f' filename='faulty'/>");
    let setup = setup.world(&sdf).config(&format!("[run]\n{settings}"));
    Some(setup.args(["--duration", "0.1s"]).finish())
}

/// A plugin whose call consists of these lines.
fn in_call(call: &str, lines: &str) -> String {
    let lines = lines.replace('\n', "\n        ");
    format!("class Faulty(ModelPlugin):\n    def {call}:\n        {lines}\n")
}

#[test]
fn a_file_that_cannot_be_imported_is_refused_with_its_line() {
    for (script, texts) in [
        ("def f(:\n", ["faulty.py:5: SyntaxError: invalid syntax", "[BH-PLG-089]"]),
        (
            "import no_such_module\n",
            ["faulty.py:5: ModuleNotFoundError: No module named 'no_such_module'", "[BH-PLG-089]"],
        ),
        ("\n1 / 0\n", ["faulty.py:6: ZeroDivisionError: division by zero", "[BH-PLG-089]"]),
        ("import sys\nsys.exit(3)\n", ["faulty.py:6: called `sys.exit(3)`", "[BH-PLG-089]"]),
        (
            "x = 1\n",
            ["one class that is derived from Sensor, Controller or Bridge; found none", "[BH-PLG-089]"],
        ),
        ("class A(ModelPlugin): pass\nclass B(ModelPlugin): pass\n", ["found `A`, `B`", "[BH-PLG-089]"]),
        ("import os\nos._exit(4)\n", ["by `exit(4)`", "[BH-PLG-080]"]),
    ] {
        let Some(finished) = run(script) else { return };
        finished.expect_message(&texts);
    }
    // The import may take longer than a call.
    let settings = "call_timeout = \"1s\"\nstart_timeout = \"2s\"\n";
    let Some(finished) = run_with(settings, "while True: pass\n") else { return };
    finished.expect_message(&["was stuck in `loading` for 2s", "[BH-PLG-081]"]);
}

#[test]
fn an_exception_in_a_call_disables_the_plugin_and_names_its_line() {
    for call in ["awake(self)", "start(self)", "sample(self, step)", "control(self, step)"] {
        let Some(finished) = run(&in_call(call, "self.depth = 1\nraise ValueError(\"too deep\")")) else {
            return;
        };
        let finished = finished.expect_message(&["faulty.py:8: ValueError: too deep"]);
        finished.expect_message(&["faulty.py:8 in `", "`: raise ValueError(\"too deep\")"]);
    }
}

#[test]
fn a_wrong_message_names_its_field() {
    let script = "from bridgehead.messages.std_msgs import Float64\nclass Faulty(ModelPlugin):\n    \
                  def awake(self):\n        self.topic = self.advertise(Float64, \"x\")\n    \
                  def sample(self, step):\n        self.topic.publish(Float64(data=\"high\"))\n";
    let Some(finished) = run(script) else { return };
    finished.expect_message(&["`Float64.data` cannot be 'high'", "faulty.py:10"]);
}

#[test]
fn a_call_that_does_not_return_is_ended_and_its_line_logged() {
    let script = in_call("sample(self, step)", "while True: pass");
    let Some(finished) = run_with("call_timeout = \"2s\"\n", &script) else { return };
    let finished = finished.expect_message(&["`sample` has run for", "faulty.py:7"]);
    finished.expect_message(&["[BH-PLG-141]", "was stuck in `sample` for 2s"]);
}

#[test]
fn a_process_that_ends_is_reported_with_the_call() {
    for (lines, text) in [
        ("import os; os._exit(5)", "ended in `sample` by `exit(5)`"),
        ("import os; os.kill(os.getpid(), 9)", "ended in `sample`"),
        ("import ctypes; ctypes.string_at(0)", "ended in `sample`"),
    ] {
        let Some(finished) = run(&in_call("sample(self, step)", lines)) else { return };
        finished.expect_message(&["[BH-PLG-140]", text]);
    }
}

#[test]
fn garbage_in_the_sockets_ends_the_worker() {
    let lines = "import os, stat\nfor fd in range(3, 40):\n    try:\n        \
                 if stat.S_ISSOCK(os.fstat(fd).st_mode): os.write(fd, b\"\\xff\" * 64)\n    except OSError: pass";
    let Some(finished) = run(&in_call("sample(self, step)", lines)) else { return };
    finished.expect_message(&["[BH-PLG-142]", "it sent what is not part of the protocol"]);
}

#[test]
fn forks_threads_asyncio_and_processes_do_not_disturb_the_run() {
    for lines in [
        "import os\nif os.fork() == 0: self.call(\"clock.read\")\nos.wait()",
        "import os\nif os.fork() == 0: return\nos.wait()",
        "import subprocess; subprocess.run([\"true\"], check=True)",
        "import asyncio; asyncio.run(asyncio.sleep(0.001))",
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
        "import sys; sys.stdout.write(\"half a line\"); sys.stderr.write(\"other\\n\")",
        "import multiprocessing as m; p = m.get_context(\"fork\").Process(target=print); p.start(); p.join()",
    ] {
        let Some(finished) = run(&in_call("start(self)", lines)) else { return };
        let finished = finished.expect_code(0);
        finished.expect_silence("BH-PLG");
    }
}

#[test]
fn what_a_plugin_prints_warns_and_logs_is_in_the_log() {
    let lines = "import logging, warnings, threading\nprint(\"printed\")\nwarnings.warn(\"warned\")\n\
                 logging.getLogger(\"x\").error(\"logged\")\nself.log.info(\"noted\")\n\
                 t = threading.Thread(target=lambda: 1 / 0, name=\"helper\"); t.start(); t.join()";
    let Some(finished) = run(&in_call("awake(self)", lines)) else { return };
    let finished = finished
        .expect_code(0)
        .expect_message(&["info: ", "printed"])
        .expect_message(&["warning: ", "warned"]);
    let finished = finished.expect_message(&["error: ", "logged"]).expect_message(&["info: ", "noted"]);
    finished.expect_message(&["`helper` ended with ZeroDivisionError: division by zero"]);
}
