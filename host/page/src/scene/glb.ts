// Reads binary glTF as the host writes it: one mesh of triangles, whose primitives have positions, normals and perhaps
// texture coordinates. Other parts of glTF are not needed.

export interface Primitive {
  positions: Float32Array;
  normals: Float32Array | null;
  uvs: Float32Array | null;
  indices: Uint32Array | Uint16Array | null;
}

interface Accessor {
  bufferView?: number;
  byteOffset?: number;
  componentType: number;
  count: number;
  type: string;
}

interface BufferView {
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
}

interface Document {
  accessors?: Accessor[];
  bufferViews?: BufferView[];
  meshes?: { primitives: { attributes: Record<string, number>; indices?: number; mode?: number }[] }[];
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const TRIANGLES = 4;
const FLOAT = 5126;
const WIDTHS: Record<number, number> = { 5121: 1, 5123: 2, 5125: 4, 5126: 4 };
const LENGTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** Returns the primitives; throws an error if the bytes are not binary glTF. */
export function readGlb(buffer: ArrayBuffer): Primitive[] {
  const { document, binary } = chunks(buffer);
  const read = (index: number | undefined) =>
    index === undefined ? null : accessor(document, binary, index);
  const primitives = document.meshes?.[0]?.primitives ?? [];
  return primitives.map(({ attributes, indices, mode }) => {
    if ((mode ?? TRIANGLES) !== TRIANGLES)
      throw new Error("a primitive of the mesh is not a list of triangles");
    const positions = read(attributes.POSITION);
    if (!(positions instanceof Float32Array)) throw new Error("a primitive of the mesh has no positions");
    return {
      positions,
      normals: asFloats(read(attributes.NORMAL)),
      uvs: asFloats(read(attributes.TEXCOORD_0)),
      indices: asIndices(read(indices)),
    };
  });
}

function chunks(buffer: ArrayBuffer): { document: Document; binary: ArrayBuffer } {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== MAGIC)
    throw new Error("the mesh is not binary glTF");
  let document: Document | null = null;
  let binary = new ArrayBuffer(0);
  for (let at = 12; at + 8 <= buffer.byteLength; ) {
    const length = view.getUint32(at, true);
    const kind = view.getUint32(at + 4, true);
    if (at + 8 + length > buffer.byteLength) throw new Error("the mesh is truncated");
    const content = buffer.slice(at + 8, at + 8 + length);
    if (kind === JSON_CHUNK) document = JSON.parse(new TextDecoder().decode(content)) as Document;
    else if (kind === BINARY_CHUNK) binary = content;
    at += 8 + length;
  }
  if (!document) throw new Error("the mesh has no description");
  return { document, binary };
}

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

function accessor(document: Document, binary: ArrayBuffer, index: number): Numbers {
  const found = document.accessors?.[index];
  if (!found) throw new Error(`the mesh has no accessor ${index}`);
  const { componentType, count, type, byteOffset = 0 } = found;
  const width = WIDTHS[componentType];
  const length = LENGTHS[type];
  if (!width || !length)
    throw new Error(`the mesh has an accessor of the unknown type ${componentType} ${type}`);
  const place = document.bufferViews?.[found.bufferView ?? -1];
  if (!place) return create(componentType, count * length);
  const start = (place.byteOffset ?? 0) + byteOffset;
  const stride = place.byteStride ?? width * length;
  const end = count === 0 ? start : start + stride * (count - 1) + width * length;
  if (end > binary.byteLength) throw new Error("the mesh is truncated");
  const packed = pack(binary, start, stride, width * length, count);
  return create(componentType, count * length, packed);
}

/** Returns elements without gaps, in memory of their own, so that they are aligned. */
function pack(binary: ArrayBuffer, start: number, stride: number, size: number, count: number): ArrayBuffer {
  if (stride === size) return binary.slice(start, start + size * count);
  const [from, to] = [new Uint8Array(binary), new Uint8Array(size * count)];
  for (let element = 0; element < count; element += 1) {
    const at = start + element * stride;
    to.set(from.subarray(at, at + size), element * size);
  }
  return to.buffer;
}

function create(
  componentType: number,
  length: number,
  bytes = new ArrayBuffer(length * WIDTHS[componentType]),
): Numbers {
  if (componentType === FLOAT) return new Float32Array(bytes, 0, length);
  if (componentType === 5125) return new Uint32Array(bytes, 0, length);
  if (componentType === 5123) return new Uint16Array(bytes, 0, length);
  return new Uint8Array(bytes, 0, length);
}

function asFloats(values: Numbers | null): Float32Array | null {
  return values instanceof Float32Array ? values : null;
}

function asIndices(values: Numbers | null): Uint32Array | Uint16Array | null {
  if (values === null || values instanceof Float32Array) return null;
  return values instanceof Uint8Array ? Uint16Array.from(values) : values;
}
