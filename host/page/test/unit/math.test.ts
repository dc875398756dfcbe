import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compose,
  flatten,
  fromRpy,
  multiplyMatrices,
  rotate,
  toRpy,
  unit,
  writeMatrix,
} from "../../src/math.ts";

function near(a: number, b: number): void {
  assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
}

test("roll, pitch and yaw become the same angles again", () => {
  const { x, y, z } = toRpy(fromRpy(0.3, -0.7, 2.1));
  near(x, 0.3);
  near(y, -0.7);
  near(z, 2.1);
});

test("a yaw of a quarter turn rotates x to y", () => {
  const { x, y } = rotate(fromRpy(0, 0, Math.PI / 2), { x: 1, y: 0, z: 0 });
  near(x, 0);
  near(y, 1);
});

test("a quaternion of zeros, as of absent fields, is the identity", () => {
  assert.deepEqual(unit({ x: 0, y: 0, z: 0, w: 0 }), { x: 0, y: 0, z: 0, w: 1 });
});

test("matrices of poses multiply as the poses compose", () => {
  const parent = { position: { x: 1, y: 2, z: 3 }, orientation: fromRpy(0.1, 0.2, 0.3) };
  const child = { position: { x: -1, y: 0.5, z: 2 }, orientation: fromRpy(-0.4, 0.1, 1) };
  const [a, b, product, expected] = [0, 1, 2, 3].map(() => new Float32Array(16));
  writeMatrix(a, 0, flatten(parent), 0);
  writeMatrix(b, 0, flatten(child), 0);
  multiplyMatrices(product, 0, a, 0, b, 0);
  writeMatrix(expected, 0, flatten(compose(parent, child)), 0);
  for (const [at, value] of expected.entries()) near(product[at], value);
});
