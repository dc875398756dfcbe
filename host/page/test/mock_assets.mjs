// A mesh and a texture for the mock host, made here so that the repository contains no binary files.

import { createHash } from "node:crypto";
import { crc32 as crcOf, deflateSync } from "node:zlib";

export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns a PNG with squares of two colours. */
export function checkerboard(size, squares, first, second) {
  const rows = [];
  for (let y = 0; y < size; y += 1) {
    const row = Buffer.alloc(1 + size * 3);
    for (let x = 0; x < size; x += 1) {
      const isFirst = (Math.floor((x * squares) / size) + Math.floor((y * squares) / size)) % 2 === 0;
      row.set(isFirst ? first : second, 1 + x * 3);
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "ascii"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc(body), body.length + 4);
  return whole;
}

/** The function of zlib exists since Node 20.15. */
function crc(bytes) {
  if (crcOf) return crcOf(bytes);
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

/** Returns binary glTF with two primitives: a ring of square cross-section, and a plate inside of it. */
export function ringMesh() {
  return glb([ring(0.35, 0.5, 0.2, 48), ring(0.01, 0.35, 0.08, 48)]);
}

function ring(inner, outer, height, segments) {
  const [positions, normals, uvs, indices] = [[], [], [], []];
  const quad = (points, normal) => {
    const at = positions.length / 3;
    points.forEach(([x, y, z], corner) => {
      positions.push(x, y, z);
      normals.push(...normal[corner]);
      uvs.push(corner % 2, corner >> 1);
    });
    indices.push(at, at + 1, at + 3, at, at + 3, at + 2);
  };
  for (let segment = 0; segment < segments; segment += 1) {
    const [a, b] = [segment, segment + 1].map((index) => (index / segments) * 2 * Math.PI);
    const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
    const [low, high] = [-height / 2, height / 2];
    const side = [
      [ca, sa, 0],
      [cb, sb, 0],
      [ca, sa, 0],
      [cb, sb, 0],
    ];
    const up = Array(4).fill([0, 0, 1]);
    const down = Array(4).fill([0, 0, -1]);
    quad(
      [
        [ca * outer, sa * outer, low],
        [cb * outer, sb * outer, low],
        [ca * outer, sa * outer, high],
        [cb * outer, sb * outer, high],
      ],
      side,
    );
    quad(
      [
        [ca * outer, sa * outer, high],
        [cb * outer, sb * outer, high],
        [ca * inner, sa * inner, high],
        [cb * inner, sb * inner, high],
      ],
      up,
    );
    quad(
      [
        [ca * inner, sa * inner, low],
        [cb * inner, sb * inner, low],
        [ca * outer, sa * outer, low],
        [cb * outer, sb * outer, low],
      ],
      down,
    );
    const inward = side.map(([x, y]) => [-x, -y, 0]);
    quad(
      [
        [cb * inner, sb * inner, low],
        [ca * inner, sa * inner, low],
        [cb * inner, sb * inner, high],
        [ca * inner, sa * inner, high],
      ],
      inward,
    );
  }
  return { positions, normals, uvs, indices };
}

function glb(parts) {
  const [views, accessors, primitives, buffers] = [[], [], [], []];
  let length = 0;
  const add = (array, type, componentType) => {
    const bytes = Buffer.from(array.buffer);
    views.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
    accessors.push({
      bufferView: views.length - 1,
      componentType,
      count: array.length / { SCALAR: 1, VEC2: 2, VEC3: 3 }[type],
      type,
    });
    buffers.push(bytes);
    length += bytes.length;
    return accessors.length - 1;
  };
  for (const { positions, normals, uvs, indices } of parts) {
    const attributes = {
      POSITION: add(new Float32Array(positions), "VEC3", 5126),
      NORMAL: add(new Float32Array(normals), "VEC3", 5126),
      TEXCOORD_0: add(new Float32Array(uvs), "VEC2", 5126),
    };
    primitives.push({ attributes, indices: add(new Uint32Array(indices), "SCALAR", 5125) });
  }
  const document = {
    asset: { version: "2.0" },
    buffers: [{ byteLength: length }],
    bufferViews: views,
    accessors,
    meshes: [{ primitives }],
  };
  const json = Buffer.from(JSON.stringify(document));
  const text = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, 0x20)]);
  const binary = Buffer.concat(buffers);
  const header = Buffer.alloc(12);
  header.writeUInt32LE(0x46546c67, 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + 8 + text.length + 8 + binary.length, 8);
  return Buffer.concat([header, part(text, 0x4e4f534a), text, part(binary, 0x004e4942), binary]);
}

function part({ length }, kind) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(length, 0);
  head.writeUInt32LE(kind, 4);
  return head;
}
