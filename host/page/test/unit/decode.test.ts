import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, MAGIC } from "../../src/poses/decode.ts";

function frame(kind: number, nodes: number[], poses: number[][]): ArrayBuffer {
  const indexBytes = kind === 1 ? nodes.length * 4 : 0;
  const buffer = new ArrayBuffer(48 + indexBytes + poses.length * 28);
  const view = new DataView(buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, kind, true);
  view.setBigUint64(8, 7n, true);
  view.setBigUint64(16, 1234n, true);
  view.setBigInt64(24, 1_500_000_000n, true);
  view.setUint32(32, 3, true);
  view.setUint32(36, poses.length, true);
  view.setUint32(40, 2, true);
  if (kind === 1) {
    for (const [at, node] of nodes.entries()) view.setUint32(48 + at * 4, node, true);
  }
  for (const [at, value] of poses.flat().entries()) view.setFloat32(48 + indexBytes + at * 4, value, true);
  return buffer;
}

test("a frame with all nodes has its header and seven numbers for each", () => {
  const read = decode(frame(0, [], [[1, 2, 3, 0, 0, 0, 1]]));
  assert.ok(read);
  assert.deepEqual([read.revision, read.step, read.time, read.epoch, read.lost], [7, 1234, 1.5, 3, 2]);
  assert.equal(read.nodes, null);
  assert.deepEqual([...read.poses], [1, 2, 3, 0, 0, 0, 1]);
});

test("a frame with changed nodes has their indices", () => {
  const poses = [
    [1, 0, 0, 0, 0, 0, 1],
    [2, 0, 0, 0, 0, 0, 1],
  ];
  const read = decode(frame(1, [4, 9], poses));
  assert.deepEqual([...(read?.nodes ?? [])], [4, 9]);
  assert.equal(read?.poses[7], 2);
});

test("bytes that are no frame, or that are cut off, are refused", () => {
  const good = frame(0, [], [[1, 2, 3, 0, 0, 0, 1]]);
  assert.equal(decode(good.slice(0, 20)), null);
  assert.equal(decode(good.slice(0, good.byteLength - 4)), null);
  new DataView(good).setUint32(0, 1, true);
  assert.equal(decode(good), null);
});
