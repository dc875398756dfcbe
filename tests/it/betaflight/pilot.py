"""Flies a quadrotor with Betaflight: `pilot.py BETAFLIGHT FOLDER HOST ARGUMENTS...`, in a network namespace of its own.

Configures Betaflight over its command line, starts it and the host, and is the radio: it passes the states of the host on
to Betaflight, and moves the sticks so that the vehicle takes off to 2 m and stays there. Prints what it has seen as JSON,
and ends with the exit code of the host.
"""

import json
import socket
import struct
import subprocess
import sys
from time import monotonic

STATE = struct.Struct("<18d")
RADIO = struct.Struct("<d16H")
# Arm with switch 1, angle mode with switch 2; the board is level and calibrated.
COMMANDS = [
    "aux 0 0 0 1700 2100 0 0",
    "aux 1 1 1 1700 2100 0 0",
    "set small_angle = 180",
    "set acc_calibration = 0,0,0,1",
    "save",
]
# Seconds before the first packet of the radio, which Betaflight forgets if it comes while it starts, and before it can be
# armed; metres.
RADIO_ON, BOOT, TARGET = 4.0, 9.0, 2.0
HOVER = 1660.0


class Radio:
    """The sockets towards Betaflight."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def state(self, packet: bytes) -> None:
        self.socket.sendto(packet, ("127.0.0.1", 9003))

    def sticks(self, time: float, roll: float, pitch: float, throttle: float, switch: int) -> None:
        sticks = [round(min(max(stick, 1000), 2000)) for stick in (roll, pitch, throttle)]
        channels = [*sticks, 1500, switch, 2000] + [1000] * 10
        self.socket.sendto(RADIO.pack(time, *channels), ("127.0.0.1", 9004))


def configure(program: str, folder: str, radio: Radio) -> bool:
    """Starts it once for its configuration; it exits when that is saved. Returns false if it has exited before."""
    betaflight = subprocess.Popen([program], cwd=folder, stdout=subprocess.DEVNULL)
    pulse, line, sent, asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), None, [], 0.0
    pulse.bind(("127.0.0.1", 9002))
    pulse.settimeout(0.005)
    answers = 0
    while betaflight.poll() is None:
        # Its command line answers only while states arrive, and its clock is theirs.
        radio.state(STATE.pack(monotonic(), 0, 0, 0, 0, 0, -9.80665, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 101325))
        try:
            pulse.recv(64)
            answers += 1
        except TimeoutError:
            pass
        # Before it has started, a connection ends it.
        if answers < 500:
            continue
        if line is None:
            try:
                line = socket.create_connection(("127.0.0.1", 5761))
            except ConnectionRefusedError:
                continue
            line.setblocking(False)
        try:
            answered = line.recv(4096).endswith(b"# ")
        except BlockingIOError:
            # It is noticed only if nothing follows for a while.
            if not sent and monotonic() > asked + 1:
                line.sendall(b"#")
                asked = monotonic()
            continue
        except ConnectionResetError:
            break
        if answered and len(sent) < len(COMMANDS):
            sent.append(COMMANDS[len(sent)])
            line.sendall(sent[-1].encode() + b"\r\n")
    betaflight.wait()
    return sent == COMMANDS


def is_turning(outputs: socket.socket) -> bool:
    """Takes the outputs that wait, pulses of motors. Returns true if one is more than standstill."""
    is_turning = False
    while True:
        try:
            pulses = struct.unpack_from("<4f", outputs.recv(128), 4)
        except BlockingIOError:
            return is_turning
        is_turning = is_turning or max(pulses) > 1020


def fly(host: subprocess.Popen, radio: Radio) -> dict:
    """Passes states on until the host ends. Returns the greatest and least altitudes and speeds of the last seconds."""
    states = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    states.bind(("127.0.0.1", 9103))
    states.settimeout(0.1)
    outputs = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    outputs.bind(("127.0.0.1", 9001))
    outputs.setblocking(False)
    armed, ground, sum_of_errors, count, seen = None, 0.0, 0.0, 0, []
    while host.poll() is None:
        try:
            packet = states.recv(256)
        except TimeoutError:
            continue
        radio.state(packet)
        count += 1
        if count % 5:
            continue
        time, *state = STATE.unpack(packet)
        east, north, up, altitude = *state[10:13], state[15]
        if armed is None and is_turning(outputs):
            armed = time
        # The first states are from before the first fix.
        ground = altitude if armed is None else ground
        error = ground + TARGET - altitude
        throttle, roll, pitch = 1000.0, 1500.0, 1500.0
        if armed is not None and time > armed + 1:
            sum_of_errors += error * 0.01
            throttle = HOVER + 60 * error - 90 * up + 10 * sum_of_errors
            # The nose points to the east.
            roll, pitch = 1500 + 20 * north, 1500 - 20 * east
        # If it refuses to arm, the switch must be moved again.
        is_on = armed is not None or time > BOOT and int(time) % 2 == 0
        if time > RADIO_ON:
            radio.sticks(time, roll, pitch, throttle, 2000 if is_on else 1000)
        seen.append((time, altitude - ground, abs(up) + abs(east) + abs(north)))
    last = [row for row in seen if row[0] > seen[-1][0] - 4]
    return {
        "time": seen[-1][0],
        "armed": armed,
        "least": min(row[1] for row in last),
        "greatest": max(row[1] for row in last),
        "speed": max(row[2] for row in last),
    }


def main() -> int:
    program, folder, *command = sys.argv[1:]
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    radio = Radio()
    if not any(configure(program, folder, radio) for _ in range(5)):
        sys.exit("Betaflight exits before it is configured")
    betaflight = subprocess.Popen([program], cwd=folder, stdout=subprocess.DEVNULL)
    host = subprocess.Popen(command)
    try:
        print(json.dumps(fly(host, radio)), flush=True)
        return host.wait()
    finally:
        for process in (host, betaflight):
            process.kill()
            process.wait()


sys.exit(main())
