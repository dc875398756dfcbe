import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readCatalogue } from "../../catalogue.mjs";
import type { TriggerInfo } from "../../src/api/types.ts";
import { pointsOfCloud, pointsOfScan } from "../../src/overlays/lidar_points.ts";
import { type Pose, rotate } from "../../src/math.ts";
import { opticalFrames } from "../../src/overlays/optics.ts";
import { pixelsOf } from "../../src/panels/image.ts";
import { isOpenAtFirst, valueAt } from "../../src/panels/message_tree.ts";
import { Series } from "../../src/panels/series.ts";
import { verticalDegrees } from "../../src/panels/sensor_view.ts";
import { partProblem, passedNote, readPart, timeOf } from "../../src/panels/trigger_form.ts";
import { pausedBy } from "../../src/panels/trigger_notice.ts";

test("a path selects a number, a boolean or an element of a list", () => {
  const message = { pose: { x: 1.5 }, ranges: [1, "Infinity"], on: true, name: "a" };
  assert.equal(valueAt(message, "pose.x"), 1.5);
  assert.equal(valueAt(message, "ranges[0]"), 1);
  assert.equal(valueAt(message, "ranges[1]"), Number.POSITIVE_INFINITY);
  assert.equal(valueAt(message, "on"), 1);
  assert.equal(valueAt(message, "name"), undefined);
  assert.equal(valueAt(message, "pose.y.z"), undefined);
});

test("a series keeps the last minute at 100 values per second", () => {
  const series = new Series("/a", "x");
  for (let index = 0; index <= 10_000; index += 1) series.push(index / 100, index);
  const [times, values] = series.data();
  assert.equal(times[0], 40);
  assert.equal(values[values.length - 1], 10_000);
  assert.equal(series.length(), 6001);
});

test("a series begins again if time runs backwards", () => {
  const series = new Series("/a", "x");
  series.push(5, 1);
  series.push(0.1, 2);
  assert.deepEqual([...series.data()[0]], [0.1]);
});

test("a scan has points for measurements within its limits", () => {
  const scan = {
    angle_min: 0,
    angle_increment: Math.PI / 2,
    range_min: 0.1,
    range_max: 10,
    ranges: [2, "Infinity", 0.01, 3],
  };
  const points = [...pointsOfScan(scan)].map((value) => Math.round(value * 1000) / 1000 + 0);
  assert.deepEqual(points, [2, 0, 0, 0, -3, 0]);
});

test("a cloud has points for finite values", () => {
  const values = new Float32Array([1, 2, 3, Number.NaN, 0, 0, 4, 5, 6]);
  const data = Buffer.from(values.buffer).toString("base64");
  const fields = ["x", "y", "z"].map((name, index) => ({ name, offset: index * 4, datatype: 7 }));
  const cloud = { height: 1, width: 3, fields, is_bigendian: false, point_step: 12, row_step: 36, data };
  assert.deepEqual([...pointsOfCloud(cloud)], [1, 2, 3, 4, 5, 6]);
});

test("pictures are read in their encoding", () => {
  const image = { width: 1, height: 1, is_bigendian: 0, step: 3, data: [10, 20, 30] };
  assert.deepEqual([...(pixelsOf({ ...image, encoding: "rgb8" }) ?? [])], [10, 20, 30, 255]);
  assert.deepEqual([...(pixelsOf({ ...image, encoding: "bgr8" }) ?? [])], [30, 20, 10, 255]);
  assert.equal(pixelsOf({ ...image, encoding: "yuv422" }), null);
  assert.equal(pixelsOf({ ...image, encoding: "rgb8", data: [1] }), null);
});

test("brightness is white, near distances are white, and a mosaic has colours", () => {
  const reds = (pixels: Uint8ClampedArray | null) => [...(pixels ?? [])].filter((_, at) => at % 4 === 0);
  const words = { width: 2, height: 1, is_bigendian: 0, step: 4, data: [10, 0, 20, 0] };
  assert.deepEqual(reds(pixelsOf({ ...words, encoding: "mono16" })), [30, 255]);
  assert.deepEqual(reds(pixelsOf({ ...words, encoding: "16UC1" })), [255, 30]);
  const mosaic = { width: 3, height: 2, is_bigendian: 0, step: 3, data: [200, 10, 90, 30, 50, 70] };
  const pixels = pixelsOf({ ...mosaic, encoding: "bayer_rggb8" }) ?? [];
  assert.deepEqual([...pixels.slice(0, 4)], [200, 20, 50, 255]);
  assert.deepEqual([...pixels.slice(8, 12)], [90, 70, 0, 255]);
});

test("points of cameras are in an optical frame", () => {
  const frames = (asked: string, xml: string) => opticalFrames({ asked, frame_id: "car/eye", xml });
  const ahead = ({ pose }: { pose: Pose }) => {
    const { x, y, z } = rotate(pose.orientation, { x: 0, y: 0, z: 1 });
    return [x, y, z].map((value) => Math.round(value * 1e6) / 1e6 + 0);
  };
  const [camera] = frames("depth", "<sensor><!-- <camera></camera> --><camera><clip/></camera></sensor>");
  assert.equal(camera?.name, "car/eye_optical_frame");
  assert.deepEqual(camera && ahead(camera), [1, 0, 0]);
  const [own] = frames(
    "camera",
    '<camera name="a"><pose degrees="1">1 2 3 0 0 90</pose><optical_frame_id>lens</optical_frame_id></camera>',
  );
  assert.deepEqual([own?.name, own?.pose.position], ["lens", { x: 1, y: 2, z: 3 }]);
  assert.deepEqual(own && ahead(own), [0, 1, 0]);
  const several = frames("multicamera", "<camera name='l'></camera><camera name='r'></camera>");
  assert.deepEqual(
    several.map(({ name }) => name),
    ["car/eye/l_optical_frame", "car/eye/r_optical_frame"],
  );
  assert.deepEqual(frames("lidar", "<sensor><lidar/></sensor>"), []);
});

test("long lists are closed at first, and messages and short lists are open", () => {
  assert.equal(isOpenAtFirst("ranges", 1, new Array(360).fill(1)), false);
  assert.equal(isOpenAtFirst("intensities", 1, new Array(17).fill(1)), false);
  assert.equal(isOpenAtFirst("position", 1, [1, 2, 3]), true);
  assert.equal(isOpenAtFirst("pose.pose", 2, { position: {} }), true);
  assert.equal(isOpenAtFirst("pose.covariance", 2, [1]), false);
  assert.equal(isOpenAtFirst("a.b.c.d.e", 5, {}), false);
});

test("a trigger is written inline or as a table", () => {
  assert.equal(readPart(" time=10 "), "time=10");
  assert.deepEqual(readPart('{"name": "time", "time": 10}'), { name: "time", time: 10 });
});

test("a trigger that is neither a name, a name with an argument nor JSON is refused with an example", () => {
  for (const text of ["time=10", "time = 10", "lidar/near", "log=info: a text", '{"name": "loop"}'])
    assert.equal(partProblem("event", text), "", text);
  assert.match(partProblem("event", '{ name = "time" }'), /not JSON.*`\{"name": "time", "time": 10\}`/);
  assert.match(partProblem("event", "at ten"), /a name, as `name=argument`, or as a table in JSON/);
  assert.match(partProblem("action", ""), /Write the action as a name/);
});

test("a trigger for a time that has passed is announced", () => {
  assert.equal(timeOf("time=10"), 10);
  assert.equal(timeOf("time = 500ms"), 0.5);
  assert.equal(timeOf('{"name": "time", "time": "2m"}'), 120);
  for (const text of ["time=soon", "next=1", "pause", '{"name": "loop"}', "{"])
    assert.ok(Number.isNaN(timeOf(text)), text);
  assert.match(passedNote("time=5", 5.5), /It is 5.500 s already, so the trigger fires at once/);
  assert.equal(passedNote("time=6", 5.5), "");
  assert.equal(passedNote("pause", 5.5), "");
});

test("a pause has the label of the trigger that fired at its step", () => {
  const fired = (label: string, action: string, step: number) =>
    ({ label, action, step, event: "time=1" }) as TriggerInfo;
  const history = [fired("old", "pause", 10), fired("a log", "log=info: x", 20), fired("limit", "pause", 20)];
  assert.equal(pausedBy(history, 20), "Paused by the trigger “limit”.");
  assert.equal(pausedBy(history, 21), "");
  assert.equal(pausedBy([fired("", "pause", 3)], 3), "Paused by the trigger of the event `time=1`.");
});

test("the angle of view of a camera follows from its description", () => {
  const xml =
    "<camera><horizontal_fov>1.5707963</horizontal_fov><image><width>200</width><height>100</height></image></camera>";
  assert.ok(Math.abs(verticalDegrees(xml) - 53.13) < 0.01);
  assert.equal(verticalDegrees("<lidar/>"), 60);
});

test("the catalogue has a meaning and a hint for each code", () => {
  const text = readFileSync("../../docs/errors.md", "utf8");
  const codes = readCatalogue(text) as Record<string, { meaning: string; hint: string }>;
  assert.ok(Object.keys(codes).length > 300);
  for (const [code, { meaning, hint }] of Object.entries(codes))
    assert.ok(meaning !== "" && hint !== "", code);
});
