"""What a user of Python writes first: drive, read, step, reset, a second episode, a misspelt topic, arrays, a snapshot."""

import math

import bridgehead
from bridgehead import arrays
from bridgehead.messages.geometry_msgs import Twist, Vector3

FORWARD = Twist(linear=Vector3(x=0.5))


def drive(host, seconds):
    """Drives straight on; a command of the drive expires after half a second."""
    for _ in range(round(seconds / 0.25)):
        host.publish("/car1/cmd_vel", FORWARD)
        host.step(250)
    return host.entity("car1").pose.position.x


def check_refusals(host):
    """A misspelt topic is an error that names it, and so is an entity that does not exist."""
    for attempt in (lambda: host.publish("/car9/cmd_vel", FORWARD), lambda: host.entity("car9")):
        try:
            attempt()
        except bridgehead.BridgeheadError as error:
            assert error.code.startswith("BH-"), error
            assert "car9" in error.message, error
        else:
            raise AssertionError("car9 was accepted")


with bridgehead.Host("two_vehicles", start="paused", seed=1) as host:
    first = drive(host, 2.0)
    assert 0.8 < first < 1.1, first
    # What a sensor measured in the steps can be read after them.
    distances = arrays.ranges(host.read("/car1/scan").message)
    assert distances.shape == (360,)
    assert distances.min() > 0.1
    assert math.isclose(host.time(), 2.0, abs_tol=1e-6)
    check_refusals(host)

    # A second episode: the host is still paused, and the same commands give the same result.
    host.reset()
    assert host.time() == 0.0
    assert host.entity("car1").pose.position.x == 0.0
    assert drive(host, 2.0) == first

    # A snapshot is a place to come back to.
    host.save_snapshot("start.snapshot")
    there = drive(host, 1.0)
    host.restore_snapshot("start.snapshot")
    assert host.entity("car1").pose.position.x == first
    assert drive(host, 1.0) == there

assert host.result.outcome == bridgehead.Outcome.STOPPED, host.result.outcome
print(f"drove {first:.3f} m twice")
