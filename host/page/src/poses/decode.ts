// Decodes the frames of the pose stream. A frame is a header of 48 bytes, then the indices of changed nodes if it does not
// contain all, then seven numbers for each: x, y, z, qx, qy, qz, qw in the frame of the world. Little endian, as every
// browser's typed arrays are.

export const MAGIC = 0x31504842;
const HEADER_BYTES = 48;
export const NUMBERS = 7;

export interface PoseFrame {
  /** Revision of the scene whose nodes the frame is about. */
  revision: number;
  step: number;
  /** Simulated seconds. */
  time: number;
  epoch: number;
  count: number;
  /** Frames that were skipped for this page since the last one. */
  lost: number;
  /** Indices of the nodes; null for all, in order. */
  nodes: Uint32Array | null;
  poses: Float32Array;
}

/** Returns a frame; null if the bytes are none. */
export function decode(buffer: ArrayBuffer): PoseFrame | null {
  if (buffer.byteLength < HEADER_BYTES) return null;
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) return null;
  const kind = view.getUint32(4, true);
  const count = view.getUint32(36, true);
  const indexBytes = kind === 1 ? count * 4 : 0;
  if (kind > 1 || buffer.byteLength < HEADER_BYTES + indexBytes + count * NUMBERS * 4) return null;
  return {
    revision: Number(view.getBigUint64(8, true)),
    step: Number(view.getBigUint64(16, true)),
    time: Number(view.getBigInt64(24, true)) / 1e9,
    epoch: view.getUint32(32, true),
    count,
    lost: view.getUint32(40, true),
    nodes: kind === 1 ? new Uint32Array(buffer, HEADER_BYTES, count) : null,
    poses: new Float32Array(buffer, HEADER_BYTES + indexBytes, count * NUMBERS),
  };
}
