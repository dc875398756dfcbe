import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene, SceneLight, SceneMaterial } from "../../src/api/scene_types.ts";
import { readGlb } from "../../src/scene/glb.ts";
import { distanceColors } from "../../src/overlays/primitives.ts";
import { groundBrightness, groundHeight } from "../../src/scene/ground.ts";
import { attenuation } from "../../src/scene/lights.ts";
import { keyOf } from "../../src/scene/materials.ts";
import { geometryOf, shapeOf } from "../../src/scene/shapes.ts";
import { showsWhole } from "../../src/scene/view.ts";
import { domeOf } from "../../src/scene/surroundings.ts";
import { ringMesh } from "../mock_assets.mjs";
import { material, shapesScene, surroundings } from "../mock_scene.mjs";

function mesh(): ArrayBuffer {
  const bytes: Buffer = ringMesh();
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
}

test("the first picture shows the whole world unless what it is about would be too small, or is everything", () => {
  assert.equal(showsWhole(1.2, 4.5), true);
  assert.equal(showsWhole(0.3, 12), false, "one would look for the vehicle");
  assert.equal(showsWhole(1, 1.1), false, "there is nothing else");
  assert.equal(showsWhole(0.5, 0), false, "the world has no shapes");
});

test("binary glTF has a geometry for each primitive", () => {
  const primitives = readGlb(mesh());
  assert.equal(primitives.length, 2);
  const { positions, normals, uvs, indices } = primitives[0];
  assert.equal(positions.length / 3, 48 * 16);
  assert.equal(normals?.length, positions.length);
  assert.equal(uvs?.length, (positions.length / 3) * 2);
  assert.equal(indices?.length, 48 * 24);
});

test("a mesh that is cut off, or that is none, is refused", () => {
  assert.throws(() => readGlb(mesh().slice(0, 2000)), /truncated/);
  assert.throws(() => readGlb(new ArrayBuffer(64)), /not binary glTF/);
});

test("a mirrored mesh has its triangles turned over", () => {
  const [primitive] = readGlb(mesh());
  const plain = geometryOf(primitive, false).getIndex();
  const mirrored = geometryOf(primitive, true).getIndex();
  assert.deepEqual(
    [mirrored?.getX(0), mirrored?.getX(1), mirrored?.getX(2)],
    [plain?.getX(0), plain?.getX(2), plain?.getX(1)],
  );
});

test("a capsule has its length with its caps", () => {
  const geometry = shapeOf(4, { x: 0.4, y: 0.4, z: 1.2 })?.create(12);
  geometry?.computeBoundingBox();
  const box = geometry?.boundingBox;
  assert.ok(box && Math.abs(box.max.z - 0.6) < 1e-6 && Math.abs(box.min.z + 0.6) < 1e-6);
});

test("materials that differ in their colour alone are drawn together", () => {
  const [red, blue] = [
    material({ r: 1, g: 0, b: 0, a: 1 }),
    material({ r: 0, g: 0, b: 1, a: 1 }),
  ] as SceneMaterial[];
  assert.equal(keyOf(red, 0), keyOf(blue, 0));
  assert.notEqual(keyOf(red, 0), keyOf(red, 0.5));
  assert.notEqual(keyOf(red, 0), keyOf({ ...red, color_map: 0 }, 0));
});

test("a quadratic attenuation has a decay of nearly 2, and a constant one has none", () => {
  const light = {
    attenuation_range: 20,
    attenuation_constant: 0,
    attenuation_linear: 0,
    attenuation_quadratic: 1,
  } as SceneLight;
  const quadratic = attenuation(light);
  assert.ok(Math.abs(quadratic.decay - 2) < 1e-9 && Math.abs(quadratic.intensity - 1) < 1e-9);
  assert.equal(attenuation({ ...light, attenuation_constant: 1, attenuation_quadratic: 0 }).decay, 0);
});

test("the grid lies on the ground, and its lines differ from it", () => {
  const scene = shapesScene(1) as unknown as Scene;
  assert.equal(groundHeight(scene), 0);
  assert.ok(Math.abs(groundBrightness(scene) - 0.51) < 0.02);
  scene.nodes[0].pose.position.z = 0.05;
  assert.equal(groundHeight(scene), 0.05);
  scene.nodes[0].pose.position.z = -0.3;
  assert.equal(groundHeight(scene), -0.3, "a floor below the middle of a robot");
  scene.nodes[0].pose.position.z = -100;
  assert.equal(groundHeight(scene), 0, "the bottom of a sea");
});

test("a dark theme has a dark sky, and a background of the world is kept in a light one", () => {
  const around = (more: object) => surroundings(more) as unknown as Scene["surroundings"];
  const sum = ({ horizon }: { horizon: readonly number[] }) => horizon.reduce((all, part) => all + part, 0);
  const grey = { r: 0.7, g: 0.7, b: 0.7, a: 1 };
  for (const more of [
    { sky: true },
    { background: grey },
    { background: { r: 0.9, g: 0.2, b: 0.2, a: 1 } },
  ]) {
    assert.ok(sum(domeOf(around(more), true)) < 0.6 * sum(domeOf(around(more), false)));
  }
  assert.deepEqual(
    domeOf(around({ background: { r: 0.9, g: 0.2, b: 0.2, a: 1 } }), false).zenith,
    [0.9, 0.2, 0.2],
  );
});

test("points are coloured by their distance", () => {
  const colors = distanceColors(new Float32Array([1, 0, 0, 10, 0, 0]));
  assert.ok(colors[0] > colors[2], "a near point is warm");
  assert.ok(colors[5] > colors[3], "a far point is cold");
});
