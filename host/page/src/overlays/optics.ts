// The optical frames of cameras, in which their images and points are: x to the right, y down and z forward.

import { compose, DEGREES, fromRpy, type Pose } from "../math.ts";

const OPTICAL: Pose = {
  position: { x: 0, y: 0, z: 0 },
  orientation: { x: -0.5, y: 0.5, z: -0.5, w: 0.5 },
};

/** Returns the optical frames of a sensor with their poses in its frame; none for sensors that are no cameras. */
export function opticalFrames({ asked, frame_id, xml }: { asked: string; frame_id: string; xml: string }) {
  const isSeveral = asked === "multicamera";
  const text = xml.replace(/<!--[\s\S]*?-->/g, "");
  const cameras = [...text.matchAll(/<camera((?:\s[^>]*)?)>([\s\S]*?)<\/camera>/g)];
  return (isSeveral ? cameras : cameras.slice(0, 1)).map(([, attributes = "", content = ""]) => {
    const own = /<optical_frame_id>([^<]*)</.exec(content)?.[1]?.trim();
    const camera = isSeveral ? `/${/\sname=["']([^"']*)/.exec(attributes)?.[1] ?? ""}` : "";
    return { name: own || `${frame_id}${camera}_optical_frame`, pose: compose(poseOf(content), OPTICAL) };
  });
}

/** The `<pose>` of a camera in its sensor. */
function poseOf(content: string): Pose {
  const [, attributes = "", text = ""] = /<pose((?:\s[^>]*)?)>([^<]*)</.exec(content) ?? [];
  const numbers = text.trim().split(/\s+/).map(Number);
  const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0, d] = numbers.every(Number.isFinite) ? numbers : [];
  const unit = /degrees=["'](true|1)/.test(attributes) ? 1 / DEGREES : 1;
  return {
    position: { x, y, z },
    orientation: d === undefined ? fromRpy(a * unit, b * unit, c * unit) : { x: a, y: b, z: c, w: d },
  };
}
