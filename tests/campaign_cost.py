"""Measures the cost of campaigns: `python3 tests/campaign_cost.py [PROGRAM] [RUNS]`.

Plans 100,000 runs, and executes RUNS (1000) short ones; prints processor time and memory. PROGRAM is the host, by default
`target/debug/bridgehead`. Nothing is installed.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")

WORLD = """<sdf version="1.9"><world name="drop">
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="box"><pose>0 0 1 0 0 0</pose><link name="body"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model>
</world></sdf>
"""

LARGE = """[campaign]
duration = "1s"
[matrix]
world = "w.sdf"
seed = { count = 100 }
"run.substeps" = [1, 2, 3, 4]
"world.model[box].link[body].inertial.mass" = [%s]
"""

SMALL = """[campaign]
duration = "1s"
[matrix]
world = "w.sdf"
seed = { count = %d }
"""


def plan(program, folder):
    masses = ", ".join(str(1 + number / 100) for number in range(250))
    (folder / "large.toml").write_text(LARGE % masses)
    process = subprocess.Popen([program, "campaign", "plan", "large.toml"], cwd=folder, stdout=subprocess.PIPE)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0 and "100000 runs" in output, output
    size = (folder / "large.campaign/plan.json").stat().st_size
    print(f"plan of 100,000 runs: {usage.ru_utime + usage.ru_stime:.2f} s of processor time, {usage.ru_maxrss / 1024:.0f} MiB, plan of {size / 2**20:.1f} MiB")


def times(pid):
    """The processor time of a process, and of the children that it has waited for."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own, waited = int(text[11]) + int(text[12]), int(text[13]) + int(text[14])
    return own / TICKS, waited / TICKS


def execute(program, folder, runs):
    (folder / "small.toml").write_text(SMALL % runs)
    begin = time.monotonic()
    process = subprocess.Popen([program, "campaign", "run", "small.toml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    own = waited = 0.0
    while process.poll() is None:
        try:
            own, waited = times(process.pid)
        except (FileNotFoundError, IndexError):
            break
        time.sleep(0.05)
    output = process.communicate()[0].decode()
    assert process.returncode == 0 and f"{runs} passed" in output, output
    wall = time.monotonic() - begin
    print(f"{runs} runs: {wall:.1f} s, campaign process {own:.2f} s of processor time, runs {waited:.2f} s: {100 * own / (own + waited):.2f} %")


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/debug/bridgehead").resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "w.sdf").write_text(WORLD)
        plan(program, folder)
        execute(program, folder, runs)


if __name__ == "__main__":
    main()
