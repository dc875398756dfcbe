import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  BridgeInfo,
  ElementDescription,
  JointDescription,
  PluginInfo,
  TopicInfo,
} from "../../src/api/types.ts";
import { compose, fromRpy, inverse } from "../../src/math.ts";
import { apart } from "../../src/overlays/names.ts";
import { countsOf, RateMeter } from "../../src/panels/bridges.ts";
import { connectionProblem, EXAMPLES, pathProblem } from "../../src/panels/connections.ts";
import { dockWidth } from "../../src/panels/dock.ts";
import { tabTitle } from "../../src/panels/header.ts";
import { hasView, mainTopic } from "../../src/panels/inspector.ts";
import { driveOf, jointPosition, shortName } from "../../src/panels/joints.ts";
import { moved } from "../../src/panels/move.ts";
import { attachedBridges, unused } from "../../src/panels/plugins.ts";
import { indexAt, padded } from "../../src/panels/plots.ts";
import { heightOf, inertia, shapeChoice } from "../../src/panels/spawn_choices.ts";
import { withSaved } from "../../src/panels/snapshots.ts";
import { rateText } from "../../src/panels/topic_rate.ts";
import { stepsIn } from "../../src/ui/controls.ts";
import { scrollBy } from "../../src/panels/world.ts";
import { aboutWorld, isSameFile } from "../../src/panels/worlds.ts";

test("a published topic without a listener is idle in place of a rate", () => {
  const info = { rate: 0, listeners: 0 } as TopicInfo;
  assert.equal(rateText(info, true, 10).text, "idle");
  assert.match(rateText(info, true, 10).title, /This is normal.*Open the topic to start it/);
  assert.match(rateText(info, true, 10).title, /no work for a topic without a listener/);
  assert.equal(rateText({ ...info, listeners: 1 }, true, 10).text, "0 of 10 Hz");
  assert.equal(rateText({ ...info, rate: 9.96, listeners: 1 }, true, 0).text, "10.0 Hz");
  assert.equal(rateText(info, false, 0).text, "0 Hz", "a topic that a plugin reads has nothing to send");
  assert.equal(
    rateText({ rate: 0 } as TopicInfo, true, 0).text,
    "0 Hz",
    "a recording does not count listeners",
  );
  assert.equal(rateText(undefined, true, 0).text, "–");
});

test("in a pause a topic has no rate, and its title has the rate of the sensor", () => {
  const info = { rate: 4.9, listeners: 1 } as TopicInfo;
  assert.equal(rateText(info, true, 10, "paused").text, "paused");
  assert.match(rateText(info, true, 10, "paused").title, /is paused.*10 Hz in simulated time/);
  assert.equal(rateText({ ...info, rate: 0, listeners: 0 }, true, 10, "paused").text, "idle");
});

test("wrong ports and paths that leave their folder are refused, and the examples are not", () => {
  assert.match(connectionProblem("rosbridge", "ws://nowhere:99999/bad"), /`99999` is not a port/);
  assert.match(connectionProblem("foxglove", "127.0.0.1:0"), /not a port/);
  assert.match(connectionProblem("foxglove", "127.0.0.1:abc;encoding=json"), /`abc` is not a port/);
  assert.match(connectionProblem("logging", "/etc/x/y.mcap"), /absolute path.*output directory/);
  assert.match(connectionProblem("logging", "a/../../y.mcap;overwrite=true"), /leaves the output directory/);
  assert.match(connectionProblem("replay", "../y.mcap"), /leaves the folder of the world file/);
  for (const text of [
    "ws://robot:9090/path",
    "[::1]:9090",
    "127.0.0.1",
    ":9090",
    "",
    "ros=2",
    "ws://robot",
  ]) {
    assert.equal(connectionProblem("rosbridge", text), "", text);
  }
  for (const [bridge, example] of Object.entries(EXAMPLES))
    assert.equal(connectionProblem(bridge, example), "");
  assert.equal(connectionProblem("logging", "-"), "");
  assert.match(pathProblem("/tmp/x.sdf", "the folder"), /relative to the folder/);
});

test("a snapshot replaces the one in the same file, and the newest one is the first", () => {
  const saved = (path: string, step: number) => ({ path, step, world: "w", time: 0 });
  const list = [saved("a", 1), saved("b", 2), saved("a", 3)].reduce<ReturnType<typeof withSaved>>(
    withSaved,
    [],
  );
  assert.deepEqual(
    list.map(({ path, step }) => [path, step]),
    [
      ["a", 3],
      ["b", 2],
    ],
  );
});

test("a replay does not claim that it has delivered nothing", () => {
  const info = { delivered: 0, dropped: 0, missed: 0, lost: 0 } as BridgeInfo;
  assert.match(countsOf({ ...info, bridge: "replay" }, Number.NaN), /plays recorded messages/);
  assert.match(countsOf({ ...info, bridge: "logging" }, Number.NaN), /^0 delivered, 0 dropped/);
});

test("the dock follows the width of the window until it is dragged", () => {
  assert.equal(dockWidth(1280, null), 440);
  assert.equal(dockWidth(1920, null), 640);
  assert.equal(dockWidth(4000, null), 660);
  assert.equal(dockWidth(1920, 500), 500);
  assert.equal(dockWidth(1280, 5000), 860, "some of the view stays");
});

test("only one of several worlds of one name is the loaded one", () => {
  assert.equal(isSameFile("file:///w/shop.sdf", "/w/shop.sdf"), true);
  assert.equal(isSameFile("file:///w/shop.sdf", "./shop.sdf"), true);
  assert.equal(isSameFile("file:///other/shop.sdf", "/w/shop.sdf"), false);
});

test("the title of the tab says what happens", () => {
  assert.equal(tabTitle("shop", "no answer"), "shop, no answer – Bridgehead");
  assert.equal(tabTitle("", "connecting"), "Bridgehead");
});

test("a rate is that of a short time, not of the time in which the panel was hidden", () => {
  const meter = new RateMeter();
  meter.take({ delivered: 100, at: 0 });
  assert.ok(Number.isNaN(meter.perSecond));
  meter.take({ delivered: 150, at: 1000 });
  assert.equal(meter.perSecond, 50);
  // The panel is shown again: first with the old answer, then with the new one.
  meter.take({ delivered: 150, at: 1000 });
  assert.equal(meter.perSecond, 50);
  meter.take({ delivered: 1650, at: 31_000 });
  assert.ok(Number.isNaN(meter.perSecond), "the last count is too old");
  meter.take({ delivered: 1660, at: 31_200 });
  assert.ok(Number.isNaN(meter.perSecond), "the time is too short");
  meter.take({ delivered: 1700, at: 32_000 });
  assert.equal(meter.perSecond, 50);
  meter.take({ delivered: 10, at: 33_000 });
  assert.equal(meter.perSecond, 0, "a bridge that has connected again counts from 0");
});

test("the plugin of an attached bridge is in use", () => {
  const plugin = (name: string, kind: string, state: string) =>
    ({ plugin: name, version: "0.1.0", kind, state }) as PluginInfo;
  const plugins = [
    plugin("lidar", "model", "running"),
    plugin("camera", "model", "known"),
    plugin("logging", "bridge", "known"),
    plugin("ros2", "bridge", "known"),
  ];
  const bridges = [{ bridge: "logging" } as BridgeInfo];
  assert.deepEqual(attachedBridges(plugins, bridges), ["logging 0.1.0"]);
  assert.deepEqual(unused(plugins, bridges), ["camera 0.1.0", "ros2 0.1.0"]);
});

test("a number of steps is a whole number of at least one", () => {
  assert.deepEqual(["10", "0", "-3", "2.6", "", "x", "1e400"].map(stepsIn), [10, 1, 1, 3, 1, 1, 1]);
});

test("before the first value of a curve there is none, also if another curve has begun", () => {
  const times = [1, 2, 3, 4];
  const late = [undefined, undefined, 7, undefined];
  assert.equal(indexAt(times, late, 0, 1.1), null);
  assert.equal(indexAt(times, late, 2, 2.6), null, "the nearest value is later");
  assert.equal(indexAt(times, late, 2, 3), 2);
  assert.equal(indexAt(times, late, 3, 4), 2, "the latest value holds");
  assert.equal(indexAt(times, [5, 6, 7, 8], 0, 0.2), null);
  assert.equal(indexAt(times, [5, 6, 7, 8], 2, 2.6), 2, "within a curve, the nearest value is shown");
});

test("a list is scrolled just as far as a row is outside of it", () => {
  const list = { top: 100, bottom: 300 };
  assert.equal(scrollBy({ top: 150, bottom: 180 }, list), 0);
  assert.equal(scrollBy({ top: 400, bottom: 430 }, list), 130);
  assert.equal(scrollBy({ top: 40, bottom: 70 }, list), -60);
});

test("a sensor opens the first topic that it publishes", () => {
  const topic = (name: string, is_published: boolean) => ({ topic: name, type: "t", is_published });
  assert.equal(
    mainTopic([topic("/a/in", false), topic("/a/scan", true), topic("/a/points", true)]),
    "/a/scan",
  );
  assert.equal(mainTopic([topic("/a/in", false)]), "");
});

test("one can look through what has a direction", () => {
  for (const asked of ["camera", "depth_camera", "gpu_lidar", "ray"])
    assert.equal(hasView({ asked }), true, asked);
  for (const asked of ["imu", "navsat", "contact", "altimeter"])
    assert.equal(hasView({ asked }), false, asked);
});

const AT = (x: number, y: number, z: number, yaw = 0) => ({
  position: { x, y, z },
  orientation: fromRpy(0, 0, yaw),
});

test("the inverse of a pose undoes it", () => {
  const pose = { position: { x: 1, y: 2, z: 3 }, orientation: fromRpy(0.3, -0.4, 1) };
  const { position, orientation } = compose(inverse(pose), pose);
  assert.ok(Math.hypot(position.x, position.y, position.z) < 1e-12);
  assert.ok(Math.abs(orientation.w - 1) < 1e-12);
});

test("the position of a joint follows from the poses of its links", () => {
  const joint = { type: "revolute", pose: AT(0.1, 0, 0), axis: { x: 0, y: 0, z: 1 } } as JointDescription;
  const first = { parent: AT(0, 0, 0), child: AT(1, 0, 0) };
  const turned = { parent: AT(5, 5, 0, 1), child: AT(5, 5, 0, 1.5) };
  assert.ok(Math.abs(jointPosition(joint, first, turned) - 0.5) < 1e-9);
  const slider = { ...joint, type: "prismatic", axis: { x: 1, y: 0, z: 0 } };
  const shifted = { parent: AT(0, 0, 0), child: AT(1.25, 0, 0) };
  assert.ok(Math.abs(jointPosition(slider, first, shifted) - 0.25) < 1e-9);
});

test("a joint is commanded in the way that its plugin takes", () => {
  const joint = { name: "arm::elbow", model: "arm" } as JointDescription;
  assert.equal(shortName(joint), "elbow");
  const element = (plugin: string, type: string, xml = "") =>
    ({
      plugin,
      model: "arm",
      xml,
      topics: [{ topic: "/t", type, is_published: false }],
    }) as unknown as ElementDescription;
  const message = (one: ElementDescription) => driveOf(joint, [one])?.message(0.5);
  assert.deepEqual(message(element("joint_position", "std_msgs/msg/Float64")), { data: 0.5 });
  assert.deepEqual(message(element("joint_command", "sensor_msgs/msg/JointState")), {
    name: ["elbow"],
    position: [0.5],
  });
  const trajectory = message(element("joint_trajectory", "trajectory_msgs/msg/JointTrajectory"));
  assert.deepEqual((trajectory as { joint_names: string[] }).joint_names, ["elbow"]);
  assert.equal(
    driveOf(joint, [element("joint_position", "std_msgs/msg/Float64", "<joint_name>turn</joint_name>")]),
    null,
  );
  assert.equal(driveOf(joint, [element("diff_drive", "geometry_msgs/msg/Twist")]), null);
});

test("shapes stand on the ground and have the inertia of solids", () => {
  const { resource, height } = shapeChoice("box", 0.5);
  assert.match(resource.resource_string, /<size>0.5 0.5 0.5<\/size>/);
  assert.ok(height !== null && Math.abs(height - 0.25) < 0.002);
  const { mass, moments } = inertia("sphere", 2);
  assert.ok(Math.abs(moments[0] - 0.4 * mass) < 1e-9);
  assert.equal(
    heightOf({
      type: 1,
      points: [
        { x: 1, y: 1, z: 0.8 },
        { x: -1, y: -1, z: -0.2 },
      ],
    })?.toFixed(3),
    "0.201",
  );
  assert.equal(heightOf({ type: 0, points: [] }), null);
});

test("a dragged thing moves along the ground and keeps its height", () => {
  const { position } = moved(AT(1, 2, 0.3), { x: 0, y: 0 }, { x: 0.5, y: -1 });
  assert.deepEqual(position, { x: 1.5, y: 1, z: 0.3 });
});

test("names that would cover a nearer one are left out", () => {
  const kept = apart([
    { name: "a", x: 100, y: 100 },
    { name: "b", x: 110, y: 104 },
    { name: "c", x: 100, y: 140 },
  ]);
  assert.deepEqual(
    kept.map(({ name }) => name),
    ["a", "c"],
  );
});

test("a constant of 0 has an axis that one can read, and a small value has its own", () => {
  assert.deepEqual(padded(0, 0), [-1, 1]);
  assert.deepEqual(padded(-1e-12, 1e-12), [-1, 1]);
  const [least, most] = padded(0, 1e-5);
  assert.ok(least < 0 && most > 1e-5 && most < 2e-5);
});

test("worlds of one name are told apart by their files", () => {
  const world = (name: string, file: string, description = "") => ({
    name,
    world_resource: { uri: `file://${file}`, resource_string: "" },
    description,
    tags: [],
  });
  const all = [world("yard", "/a/yard.sdf"), world("yard", "/b/yard.sdf"), world("arm", "/a/arm.sdf")];
  assert.equal(aboutWorld(all[0], all, true), "loaded, /a/yard.sdf");
  assert.equal(aboutWorld(all[1], all, false), "/b/yard.sdf");
  assert.equal(aboutWorld(all[2], all, false), "");
  assert.equal(aboutWorld(world("one", "/c.sdf", "for tests"), all, true), "loaded, for tests");
});
