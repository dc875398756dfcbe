// Poses as plain numbers. Quaternions are x, y, z, w; angles are in radians.

export interface Vector3 {
  x: number;
  y: number;
  z: number;
}

export interface Quaternion extends Vector3 {
  w: number;
}

export interface Pose {
  position: Vector3;
  orientation: Quaternion;
}

/** A quaternion of length 1; the identity for one of length 0, as absent fields have. */
export function unit(q: Quaternion): Quaternion {
  const length = Math.hypot(q.x, q.y, q.z, q.w);
  if (!(length > 1e-9)) return { x: 0, y: 0, z: 0, w: 1 };
  return { x: q.x / length, y: q.y / length, z: q.z / length, w: q.w / length };
}

export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

export function rotate(q: Quaternion, v: Vector3): Vector3 {
  const tx = 2 * (q.y * v.z - q.z * v.y);
  const ty = 2 * (q.z * v.x - q.x * v.z);
  const tz = 2 * (q.x * v.y - q.y * v.x);
  return {
    x: v.x + q.w * tx + q.y * tz - q.z * ty,
    y: v.y + q.w * ty + q.z * tx - q.x * tz,
    z: v.z + q.w * tz + q.x * ty - q.y * tx,
  };
}

/** The pose in the parent frame of a pose in the child frame. */
export function compose(parent: Pose, child: Pose): Pose {
  const moved = rotate(parent.orientation, child.position);
  return {
    position: {
      x: parent.position.x + moved.x,
      y: parent.position.y + moved.y,
      z: parent.position.z + moved.z,
    },
    orientation: multiply(parent.orientation, unit(child.orientation)),
  };
}

/** The pose of the parent frame in the child frame. */
export function inverse({ position, orientation }: Pose): Pose {
  const { x, y, z, w } = unit(orientation);
  const back = { x: -x, y: -y, z: -z, w };
  const moved = rotate(back, position);
  return { position: { x: -moved.x, y: -moved.y, z: -moved.z }, orientation: back };
}

/** Roll, pitch and yaw about the fixed axes, as in SDF. */
export function toRpy(given: Quaternion): Vector3 {
  const q = unit(given);
  const sine = Math.max(-1, Math.min(1, 2 * (q.w * q.y - q.z * q.x)));
  return {
    x: Math.atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)),
    y: Math.asin(sine),
    z: Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z)),
  };
}

export function fromRpy(roll: number, pitch: number, yaw: number): Quaternion {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return {
    x: sr * cp * cy - cr * sp * sy,
    y: cr * sp * cy + sr * cp * sy,
    z: cr * cp * sy - sr * sp * cy,
    w: cr * cp * cy + sr * sp * sy,
  };
}

export const DEGREES = 180 / Math.PI;

/**
 * Writes the matrix of a pose and a scale, column by column as WebGL needs it.
 * The pose is at `from` in an array of x, y, z, qx, qy, qz, qw.
 */
export function writeMatrix(
  out: Float32Array,
  at: number,
  pose: ArrayLike<number>,
  from: number,
  sx = 1,
  sy = 1,
  sz = 1,
): void {
  const qx = pose[from + 3];
  const qy = pose[from + 4];
  const qz = pose[from + 5];
  const qw = pose[from + 6];
  out[at] = (1 - 2 * (qy * qy + qz * qz)) * sx;
  out[at + 1] = 2 * (qx * qy + qz * qw) * sx;
  out[at + 2] = 2 * (qx * qz - qy * qw) * sx;
  out[at + 3] = 0;
  out[at + 4] = 2 * (qx * qy - qz * qw) * sy;
  out[at + 5] = (1 - 2 * (qx * qx + qz * qz)) * sy;
  out[at + 6] = 2 * (qy * qz + qx * qw) * sy;
  out[at + 7] = 0;
  out[at + 8] = 2 * (qx * qz + qy * qw) * sz;
  out[at + 9] = 2 * (qy * qz - qx * qw) * sz;
  out[at + 10] = (1 - 2 * (qx * qx + qy * qy)) * sz;
  out[at + 11] = 0;
  out[at + 12] = pose[from];
  out[at + 13] = pose[from + 1];
  out[at + 14] = pose[from + 2];
  out[at + 15] = 1;
}

/** Writes a times b for matrices whose last row is 0 0 0 1. */
export function multiplyMatrices(
  out: Float32Array,
  at: number,
  a: ArrayLike<number>,
  fromA: number,
  b: ArrayLike<number>,
  fromB: number,
): void {
  for (let column = 0; column < 4; column += 1) {
    const c = fromB + column * 4;
    const x = b[c];
    const y = b[c + 1];
    const z = b[c + 2];
    const w = column === 3 ? 1 : 0;
    const o = at + column * 4;
    out[o] = a[fromA] * x + a[fromA + 4] * y + a[fromA + 8] * z + a[fromA + 12] * w;
    out[o + 1] = a[fromA + 1] * x + a[fromA + 5] * y + a[fromA + 9] * z + a[fromA + 13] * w;
    out[o + 2] = a[fromA + 2] * x + a[fromA + 6] * y + a[fromA + 10] * z + a[fromA + 14] * w;
    out[o + 3] = w;
  }
}

/** Writes a pose as seven numbers. */
export function flatten(pose: Pose): [number, number, number, number, number, number, number] {
  const q = unit(pose.orientation);
  return [pose.position.x, pose.position.y, pose.position.z, q.x, q.y, q.z, q.w];
}

/** Reads a pose from seven numbers. */
export function poseAt(values: ArrayLike<number>, at: number): Pose {
  return {
    position: { x: values[at], y: values[at + 1], z: values[at + 2] },
    orientation: { x: values[at + 3], y: values[at + 4], z: values[at + 5], w: values[at + 6] },
  };
}
