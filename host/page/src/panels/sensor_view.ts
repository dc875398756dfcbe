// How the camera looks through a sensor.

import type { ElementDescription } from "../api/types.ts";
import { DEGREES } from "../math.ts";
import type { Mount } from "../scene/camera.ts";

const DEFAULT_DEGREES = 60;

/** Returns the place of a sensor. The vertical angle follows from the horizontal one for pictures of 4:3. */
export function sensorMount(element: ElementDescription): Mount {
  return {
    kind: "sensor",
    node: element.link,
    pose: element.pose,
    label: `${element.vehicle}/${element.name}`,
    fieldOfView: verticalDegrees(element.xml),
  };
}

/** Returns the vertical angle of view of a camera; a usual one for other sensors. */
export function verticalDegrees(xml: string): number {
  const horizontal = Number(/<horizontal_fov>\s*([\d.eE+-]+)/.exec(xml)?.[1] ?? Number.NaN);
  if (!(horizontal > 0.02)) return DEFAULT_DEGREES;
  const width = Number(/<width>\s*(\d+)/.exec(xml)?.[1] ?? 4);
  const height = Number(/<height>\s*(\d+)/.exec(xml)?.[1] ?? 3);
  const vertical = 2 * Math.atan((Math.tan(Math.min(2.8, horizontal) / 2) * height) / width);
  return Math.max(5, Math.min(120, vertical * DEGREES));
}
