// Overlays of measurements: contacts and lidar returns. Their messages come from topics.

import * as THREE from "three";
import { rotate, type Vector3 } from "../math.ts";
import { pointsOfCloud, pointsOfScan } from "./lidar_points.ts";
import { type Context, Overlay, TopicsOfType } from "./overlay.ts";
import { colorFor } from "./simple.ts";
import { Lines, Points, place } from "./primitives.ts";

const RATE = 15;
const CONTACT_COLOR = new THREE.Color(0xff5b3a);
const NORMAL_METRES = 0.25;

interface Contacts {
  header: { frame_id: string };
  states: { contact_positions: Vector3[]; contact_normals: Vector3[] }[];
}

/** Points and normals of the contacts that sensors report. */
export class ContactsOverlay extends Overlay {
  private readonly lines = new Lines();
  private readonly latest = new Map<string, Contacts>();
  private topics: TopicsOfType | null = null;

  constructor(context: Context) {
    super("contacts", "Contacts", context);
    this.group.add(this.lines.object);
  }

  protected override start(): void {
    const type = "gazebo_msgs/msg/ContactsState";
    this.topics = new TopicsOfType(
      this.context,
      (topics) => topics.filter((info) => info.type === type).map(({ topic }) => topic),
      RATE,
      (topic, message) => {
        this.latest.set(topic, message as unknown as Contacts);
        this.context.view.drawMoved();
      },
      (topic) => this.latest.delete(topic),
    );
  }

  protected override stop(): void {
    this.topics?.end();
    this.latest.clear();
    this.update();
  }

  protected override update(): void {
    this.lines.begin();
    for (const { header, states } of this.latest.values()) {
      const frame = this.context.frames.find(header.frame_id);
      if (!frame) continue;
      for (const { contact_positions, contact_normals } of states) {
        contact_positions.forEach((point, index) => {
          const p = rotate(frame.orientation, point);
          const from = { x: p.x + frame.position.x, y: p.y + frame.position.y, z: p.z + frame.position.z };
          const n = rotate(frame.orientation, contact_normals[index] ?? { x: 0, y: 0, z: 1 });
          const to = {
            x: from.x + n.x * NORMAL_METRES,
            y: from.y + n.y * NORMAL_METRES,
            z: from.z + n.z * NORMAL_METRES,
          };
          this.lines.add(from, to, CONTACT_COLOR);
        });
      }
    }
    this.lines.end();
  }
}

/** Size of what a lidar hits. */
const POINT_METRES = 0.02;

interface Returns {
  points: Points;
  frame: string;
}

const SCAN = "sensor_msgs/msg/LaserScan";
const CLOUD = "sensor_msgs/msg/PointCloud2";

/** What lidars hit. The points stay where they were measured relative to the sensor. */
export class LidarOverlay extends Overlay {
  private readonly latest = new Map<string, Returns>();
  private topics: TopicsOfType | null = null;

  constructor(context: Context) {
    super("lidar", "Lidar returns", context);
  }

  protected override start(): void {
    this.topics = new TopicsOfType(
      this.context,
      chooseLidars,
      RATE,
      (topic, message) => this.hear(topic, message),
      (topic) => this.remove(topic),
    );
  }

  protected override stop(): void {
    this.topics?.end();
    for (const topic of [...this.latest.keys()]) this.remove(topic);
  }

  protected override update(): void {
    for (const { points, frame } of this.latest.values()) {
      const pose = this.context.frames.find(frame);
      points.object.visible = pose !== null;
      if (pose) place(points.object, pose);
    }
  }

  private hear(topic: string, message: Record<string, unknown>): void {
    const positions = "ranges" in message ? pointsOfScan(message as never) : pointsOfCloud(message as never);
    let returns = this.latest.get(topic);
    if (!returns) {
      returns = { points: new Points(colorFor(topic).getHex(), POINT_METRES), frame: "" };
      this.latest.set(topic, returns);
      this.group.add(returns.points.object);
    }
    returns.frame = (message.header as { frame_id: string }).frame_id;
    returns.points.set(positions);
    // A dense cloud of one colour would be a flat sheet.
    if (!("ranges" in message)) returns.points.colorByDistance(positions);
    this.context.view.drawMoved();
  }

  private remove(topic: string): void {
    this.latest.get(topic)?.points.dispose();
    this.latest.delete(topic);
  }
}

/** Returns one topic for each lidar: the cloud if it has one, because a scan has a single ring. */
export function chooseLidars(topics: readonly { topic: string; type: string }[]): string[] {
  const clouds = topics.filter(({ type }) => type === CLOUD).map(({ topic }) => topic);
  const scans = topics.filter(({ topic, type }) => type === SCAN && !clouds.includes(`${topic}/points`));
  return [...clouds, ...scans.map(({ topic }) => topic)];
}
