// Points of the messages of lidars, in the frame of the sensor.

interface LaserScan {
  angle_min: number;
  angle_increment: number;
  range_min: number;
  range_max: number;
  ranges: (number | string)[];
}

/** Returns x, y, z of each measurement within the limits. */
export function pointsOfScan(scan: LaserScan): Float32Array {
  const { angle_min, angle_increment, range_min, range_max, ranges } = scan;
  const points = new Float32Array(ranges.length * 3);
  let count = 0;
  ranges.forEach((value, index) => {
    const range = Number(value);
    if (!Number.isFinite(range) || range < range_min || range > range_max) return;
    const angle = angle_min + index * angle_increment;
    points[count] = range * Math.cos(angle);
    points[count + 1] = range * Math.sin(angle);
    count += 3;
  });
  return points.slice(0, count);
}

interface PointCloud {
  height: number;
  width: number;
  fields: { name: string; offset: number; datatype: number }[];
  is_bigendian: boolean;
  point_step: number;
  row_step: number;
  data: string | number[];
}

const FLOAT32 = 7;
const FLOAT64 = 8;
/** More points than these are thinned out. */
const MOST_POINTS = 25_000;

/** Returns x, y, z of each finite point. */
export function pointsOfCloud(cloud: PointCloud): Float32Array {
  const bytes = bytesOf(cloud.data);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const axes = ["x", "y", "z"].map((name) => cloud.fields.find((field) => field.name === name));
  if (axes.some((axis) => axis === undefined)) return new Float32Array(0);
  const total = cloud.width * cloud.height;
  const stride = Math.ceil(total / MOST_POINTS) || 1;
  const points = new Float32Array(Math.ceil(total / stride) * 3);
  let count = 0;
  for (let index = 0; index < total; index += stride) {
    const row = Math.floor(index / cloud.width);
    const at = row * cloud.row_step + (index - row * cloud.width) * cloud.point_step;
    if (at + cloud.point_step > bytes.byteLength) break;
    let isUsable = true;
    axes.forEach((axis, number) => {
      const value = read(view, at + axis!.offset, axis!.datatype, !cloud.is_bigendian);
      isUsable &&= Number.isFinite(value);
      points[count + number] = value;
    });
    if (isUsable) count += 3;
  }
  return points.slice(0, count);
}

function read(view: DataView, at: number, datatype: number, isLittle: boolean): number {
  if (datatype === FLOAT32) return view.getFloat32(at, isLittle);
  return datatype === FLOAT64 ? view.getFloat64(at, isLittle) : Number.NaN;
}

/** Bytes of a message: base64 in JSON, or a list of numbers. */
export function bytesOf(data: string | number[]): Uint8Array {
  if (typeof data !== "string") return Uint8Array.from(data);
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
