import assert from "node:assert/strict";
import { test } from "node:test";
import { Drive, drivingText, velocities } from "../../src/panels/driving.ts";

test("arrow keys add up", () => {
  assert.deepEqual(velocities(new Set(["ArrowUp", "ArrowLeft"]), 0.5, 1), { linear: 0.5, angular: 1 });
  assert.deepEqual(velocities(new Set(["ArrowUp", "ArrowDown"]), 0.5, 1), { linear: 0, angular: 0 });
});

test("what drives is said, and that nothing moves in a pause", () => {
  assert.equal(drivingText("/a/cmd_vel", "", false), "Arrow keys drive /a/cmd_vel.");
  assert.equal(drivingText("/a/cmd_vel", "", true), "Hold an arrow to drive /a/cmd_vel.");
  assert.equal(drivingText("/a/cmd_vel", "paused", true), "Driving is paused: press Play.");
});

test("a vehicle is driven while something is pressed, and halts when driving ends", () => {
  const sent: [string, number, number][] = [];
  const drive = new Drive((...message) => sent.push(message));
  drive.press("ArrowUp");
  assert.equal(sent.length, 0, "driving is off");
  drive.set("/a/cmd_vel");
  drive.press("ArrowUp");
  drive.press("ArrowUp");
  drive.press("ArrowLeft");
  drive.release("ArrowLeft");
  drive.release("ArrowUp");
  drive.release("ArrowUp");
  assert.deepEqual(
    sent.map(([, linear, angular]) => [linear, angular]),
    [
      [0.5, 0],
      [0.5, 1],
      [0.5, 0],
      [0, 0],
    ],
  );
  drive.press("ArrowDown");
  drive.set(null);
  assert.deepEqual(sent.slice(-2), [
    ["/a/cmd_vel", -0.5, 0],
    ["/a/cmd_vel", 0, 0],
  ]);
  drive.set("/a/cmd_vel");
  drive.press("ArrowDown");
  const before = sent.length;
  drive.end();
  assert.equal(sent.length, before, "the host is away: nothing is sent");
});
