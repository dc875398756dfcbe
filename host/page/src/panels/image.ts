// Draws messages that are pictures.

import { bytesOf } from "../overlays/lidar_points.ts";

const RAW = "sensor_msgs/msg/Image";
const COMPRESSED = "sensor_msgs/msg/CompressedImage";

export function isImage(type: string): boolean {
  return type === RAW || type === COMPRESSED;
}

interface RawImage {
  height: number;
  width: number;
  encoding: string;
  is_bigendian: number;
  step: number;
  data: string | number[];
}

/** Draws a message on a canvas of the size of its picture. */
export async function drawImage(
  canvas: HTMLCanvasElement,
  type: string,
  message: Record<string, unknown>,
): Promise<void> {
  const context = canvas.getContext("2d");
  if (!context) return;
  if (type === RAW) {
    const image = message as unknown as RawImage;
    const pixels = pixelsOf(image);
    if (!pixels) return;
    setSize(canvas, image.width, image.height);
    context.putImageData(new ImageData(pixels, image.width, image.height), 0, 0);
  } else {
    const { format, data } = message as { format: string; data: string };
    const kind = format.includes("png") ? "image/png" : "image/jpeg";
    const bitmap = await createImageBitmap(new Blob([bytesOf(data).slice()], { type: kind })).catch(
      () => null,
    );
    if (!bitmap) return;
    setSize(canvas, bitmap.width, bitmap.height);
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
  }
  canvas.hidden = false;
}

function setSize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

/** Returns red, green, blue and opacity of each pixel; null for an unknown encoding or missing bytes. */
export function pixelsOf(image: RawImage): Uint8ClampedArray<ArrayBuffer> | null {
  const { width, height, step } = image;
  const bytes = bytesOf(image.data);
  if (width === 0 || height === 0 || bytes.length < step * height) return null;
  const reader = readerOf(image, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!reader) return null;
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) reader(y * step, x, pixels, (y * width + x) * 4);
  }
  return pixels;
}

/** Writes one pixel; `row` is where its row begins. */
type Reader = (row: number, x: number, out: Uint8ClampedArray, at: number) => void;

const CHANNELS: Record<string, [size: number, red: number, green: number, blue: number]> = {
  rgb8: [3, 0, 1, 2],
  bgr8: [3, 2, 1, 0],
  rgba8: [4, 0, 1, 2],
  bgra8: [4, 2, 1, 0],
  mono8: [1, 0, 0, 0],
  "8UC1": [1, 0, 0, 0],
  "8UC3": [3, 2, 1, 0],
};

function readerOf({ encoding, is_bigendian, width, height, step }: RawImage, view: DataView): Reader | null {
  const channels = CHANNELS[encoding];
  if (channels) {
    const [size, red, green, blue] = channels;
    return (row, x, out, at) => {
      const from = row + x * size;
      out[at] = view.getUint8(from + red);
      out[at + 1] = view.getUint8(from + green);
      out[at + 2] = view.getUint8(from + blue);
      out[at + 3] = 255;
    };
  }
  const isLittle = is_bigendian === 0;
  if (encoding === "32FC1")
    return greys((row, x) => view.getFloat32(row + x * 4, isLittle), width, height, step);
  const word = (row: number, x: number) => view.getUint16(row + x * 2, isLittle);
  if (encoding === "16UC1") return greys(word, width, height, step);
  // Brightness or temperatures: large numbers are white.
  if (encoding === "mono16") return greys((row, x) => -word(row, x), width, height, step);
  const pattern = BAYER[encoding];
  return pattern ? mosaic(pattern, view, width, height, step) : null;
}

/** Channel of the pixels of a square of two by two, by rows. */
const BAYER: Record<string, number[]> = {
  bayer_rggb8: [0, 1, 1, 2],
  bayer_bggr8: [2, 1, 1, 0],
  bayer_gbrg8: [1, 2, 0, 1],
  bayer_grbg8: [1, 0, 2, 1],
};

/** Each pixel has the colours of its square of two by two. */
function mosaic(pattern: number[], view: DataView, width: number, height: number, step: number): Reader {
  return (row, x, out, at) => {
    const y = row / step;
    const sums = [0, 0, 0];
    const counts = [0, 0, 0];
    for (let place = 0; place < 4; place += 1) {
      const column = (x & ~1) + (place & 1);
      const line = (y & ~1) + (place >> 1);
      const channel = pattern[place] ?? 0;
      if (column >= width || line >= height) continue;
      sums[channel] = (sums[channel] ?? 0) + view.getUint8(line * step + column);
      counts[channel] = (counts[channel] ?? 0) + 1;
    }
    for (let channel = 0; channel < 3; channel += 1) {
      out[at + channel] = (sums[channel] ?? 0) / (counts[channel] || 1);
    }
    out[at + 3] = 255;
  };
}

/** Distances have no natural brightness: the nearest is white and the farthest is dark. */
function greys(
  value: (row: number, x: number) => number,
  width: number,
  height: number,
  step: number,
): Reader {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const now = value(y * step, x);
      if (!Number.isFinite(now)) continue;
      least = Math.min(least, now);
      most = Math.max(most, now);
    }
  }
  const range = most > least ? most - least : 1;
  return (row, x, out, at) => {
    const now = value(row, x);
    const grey = Number.isFinite(now) ? 255 - ((now - least) / range) * 225 : 0;
    out.fill(grey, at, at + 3);
    out[at + 3] = 255;
  };
}
