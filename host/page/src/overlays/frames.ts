// The poses of frames of messages: those of links and of sensors.

import type { WorldDescription } from "../api/types.ts";
import { compose, type Pose, poseAt } from "../math.ts";
import type { View } from "../scene/view.ts";
import type { Host } from "../state/host.ts";
import { opticalFrames } from "./optics.ts";

interface Place {
  link: string;
  /** Pose in the link; null for the link itself. */
  pose: Pose | null;
}

const ORIGIN: Pose = { position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };

export class Frames {
  private places = new Map<string, Place>();

  constructor(
    private readonly view: View,
    host: Host,
  ) {
    host.description.watch((description) => {
      this.places = description ? placesOf(description) : new Map();
    });
  }

  /** Returns the pose of a frame in the world; null for an unknown frame. */
  find(frame: string): Pose | null {
    if (frame === "" || frame === "world" || frame === "map" || frame === "odom") return ORIGIN;
    const place = this.places.get(frame) ?? this.places.get(frame.replace(/^\//, ""));
    const world = this.view.world.get();
    if (!place || !world) return null;
    const node = world.nodeIndex(place.link);
    if (node < 0) return null;
    const link = poseAt(world.poses, node * 7);
    return place.pose ? compose(link, place.pose) : link;
  }
}

function placesOf(description: WorldDescription): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const element of description.elements) {
    const { frame_id, link, pose, kind } = element;
    if (kind !== "sensor" || frame_id === "" || link === "") continue;
    places.set(frame_id, { link, pose });
    for (const optical of opticalFrames(element)) {
      places.set(optical.name, { link, pose: compose(pose, optical.pose) });
    }
  }
  for (const { frame_id, name } of description.links) places.set(frame_id, { link: name, pose: null });
  return places;
}
