// Markers of `visualization_msgs`, which plugins and peers publish.

import * as THREE from "three";
import type { Color, Pose, Vector3 } from "../api/types.ts";
import { compose, unit } from "../math.ts";
import { type Context, Overlay, TopicsOfType } from "./overlay.ts";
import { place } from "./primitives.ts";

interface Marker {
  header: { frame_id: string };
  ns: string;
  id: number;
  type: number;
  action: number;
  pose: Pose;
  scale: Vector3;
  color: Color;
  lifetime: { sec: number; nanosec: number };
  points: Vector3[];
  colors: Color[];
  text: string;
}

const TYPE = {
  ARROW: 0,
  CUBE: 1,
  SPHERE: 2,
  CYLINDER: 3,
  LINE_STRIP: 4,
  LINE_LIST: 5,
  CUBE_LIST: 6,
  SPHERE_LIST: 7,
  POINTS: 8,
  TEXT: 9,
  TRIANGLE_LIST: 11,
  ARROW_STRIP: 12,
} as const;
const DELETE = 2;
const DELETE_ALL = 3;

interface Drawn {
  marker: Marker;
  object: THREE.Object3D;
  /** Wall time at which it is removed; infinite for markers that stay. */
  endsAt: number;
}

export class MarkersOverlay extends Overlay {
  private readonly drawn = new Map<string, Drawn>();
  private topics: TopicsOfType | null = null;

  constructor(context: Context) {
    super("markers", "Markers", context, true);
  }

  protected override start(): void {
    this.topics = new TopicsOfType(
      this.context,
      (topics) => topics.filter((info) => isDrawn(info)).map(({ topic }) => topic),
      undefined,
      (topic, message) => this.hear(topic, message),
      (topic) => this.clear(`${topic} `),
    );
    // Messages that are kept for later listeners are not sent again, so the latest one is read.
    const known = new Set<string>();
    const restart = () => {
      this.clear("");
      known.clear();
    };
    this.keep(this.context.host.run.listen(restart));
    this.keep(
      this.context.topics.all.watch((topics) => {
        for (const { topic, type, published } of topics) {
          if (!isDrawn({ topic, type }) || published === 0 || known.has(topic)) continue;
          known.add(topic);
          void this.read(topic);
        }
      }),
    );
  }

  protected override stop(): void {
    this.topics?.end();
    this.clear("");
  }

  protected override update(now: number): void {
    for (const [key, { marker, object, endsAt }] of this.drawn) {
      if (now > endsAt) {
        this.remove(key);
        continue;
      }
      const frame = this.context.frames.find(marker.header.frame_id);
      object.visible = frame !== null;
      if (frame)
        place(object, compose(frame, { ...marker.pose, orientation: unit(marker.pose.orientation) }));
    }
  }

  private async read(topic: string): Promise<void> {
    try {
      const { json } = await this.context.http.call<{ json: string }>("read_topic", { topic });
      this.hear(topic, JSON.parse(json) as Record<string, unknown>);
    } catch {
      // There is no message yet.
    }
  }

  private hear(topic: string, message: Record<string, unknown>): void {
    const markers = "markers" in message ? (message.markers as Marker[]) : [message as unknown as Marker];
    for (const marker of markers) {
      const key = `${topic} ${marker.ns} ${marker.id}`;
      if (marker.action === DELETE_ALL) this.clear(`${topic} `);
      else this.remove(key);
      if (marker.action === DELETE || marker.action === DELETE_ALL) continue;
      const object = objectOf(marker);
      if (!object) continue;
      const seconds = marker.lifetime.sec + marker.lifetime.nanosec / 1e9;
      this.group.add(object);
      this.drawn.set(key, {
        marker,
        object,
        endsAt: seconds > 0 ? performance.now() + seconds * 1000 : Infinity,
      });
      if (seconds > 0) window.setTimeout(() => this.context.view.draw(), seconds * 1000 + 20);
    }
    this.context.view.drawMoved();
  }

  private clear(prefix: string): void {
    for (const key of [...this.drawn.keys()]) if (key.startsWith(prefix)) this.remove(key);
    this.context.view.draw();
  }

  private remove(key: string): void {
    const drawn = this.drawn.get(key);
    if (!drawn) return;
    this.drawn.delete(key);
    drawn.object.removeFromParent();
    drawn.object.traverse((part) => {
      if (!(part instanceof THREE.Mesh || part instanceof THREE.Line || part instanceof THREE.Sprite)) return;
      part.geometry.dispose();
      const material = part.material as THREE.Material & { map?: THREE.Texture | null };
      material.map?.dispose();
      material.dispose();
    });
  }
}

const TYPES = ["visualization_msgs/msg/MarkerArray", "visualization_msgs/msg/Marker"];

/** The visuals of the world are on topics of their own, for other viewers; here the scene draws them. */
function isDrawn({ topic, type }: { topic: string; type: string }): boolean {
  return TYPES.includes(type) && !topic.endsWith("/visual_markers");
}

/** Returns a marker as an object in the frame of its pose; null for types that are not drawn. */
function objectOf(marker: Marker): THREE.Object3D | null {
  const { type, scale } = marker;
  switch (type) {
    case TYPE.CUBE:
      return solid(new THREE.BoxGeometry(scale.x, scale.y, scale.z), marker);
    case TYPE.SPHERE:
      return solid(new THREE.SphereGeometry(0.5, 20, 12).scale(scale.x, scale.y, scale.z), marker);
    case TYPE.CYLINDER:
      return solid(
        new THREE.CylinderGeometry(0.5, 0.5, 1, 20).rotateX(Math.PI / 2).scale(scale.x, scale.y, scale.z),
        marker,
      );
    case TYPE.LINE_STRIP:
    case TYPE.ARROW_STRIP:
      return new THREE.Line(pointsGeometry(marker), lineMaterial(marker));
    case TYPE.LINE_LIST:
      return new THREE.LineSegments(pointsGeometry(marker), lineMaterial(marker));
    case TYPE.TRIANGLE_LIST: {
      const geometry = pointsGeometry(marker);
      geometry.computeVertexNormals();
      return solid(geometry, marker);
    }
    case TYPE.POINTS:
      return new THREE.Points(pointsGeometry(marker), pointMaterial(marker));
    case TYPE.CUBE_LIST:
      return repeated(new THREE.BoxGeometry(scale.x, scale.y, scale.z), marker);
    case TYPE.SPHERE_LIST:
      return repeated(new THREE.SphereGeometry(scale.x / 2, 12, 8), marker);
    case TYPE.ARROW:
      return arrow(marker);
    case TYPE.TEXT:
      return text(marker);
    default:
      return null;
  }
}

function colorOf({ r, g, b }: Color): THREE.Color {
  return new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
}

function look({ color, colors }: Marker): {
  color: THREE.Color;
  vertexColors: boolean;
  transparent: boolean;
  opacity: number;
} {
  const vertexColors = colors.length > 0;
  return {
    color: vertexColors ? new THREE.Color(0xffffff) : colorOf(color),
    vertexColors,
    transparent: color.a < 1,
    opacity: color.a || 1,
  };
}

function solid(geometry: THREE.BufferGeometry, marker: Marker): THREE.Mesh {
  return new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ ...look(marker), side: THREE.DoubleSide }));
}

function lineMaterial(marker: Marker): THREE.LineBasicMaterial {
  return new THREE.LineBasicMaterial(look(marker));
}

function pointMaterial(marker: Marker): THREE.PointsMaterial {
  return new THREE.PointsMaterial({ ...look(marker), size: Math.max(marker.scale.x, 0.01) });
}

function pointsGeometry({ points, colors }: Marker): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  const positions = new Float32Array(points.flatMap(({ x, y, z }) => [x, y, z]));
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  if (colors.length === points.length && colors.length > 0) {
    const values = new Float32Array(colors.flatMap((color) => colorOf(color).toArray()));
    geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
  }
  return geometry;
}

function repeated(geometry: THREE.BufferGeometry, marker: Marker): THREE.InstancedMesh {
  const { points, colors, color } = marker;
  const material = new THREE.MeshLambertMaterial({ transparent: color.a < 1, opacity: color.a || 1 });
  const mesh = new THREE.InstancedMesh(geometry, material, points.length);
  const matrix = new THREE.Matrix4();
  points.forEach(({ x, y, z }, index) => {
    mesh.setMatrixAt(index, matrix.makeTranslation(x, y, z));
    mesh.setColorAt(index, colorOf(colors[index] ?? color));
  });
  return mesh;
}

/** An arrow along x with its length and width, or from the first point to the second. */
function arrow(marker: Marker): THREE.Object3D {
  const { points, scale } = marker;
  const isBetween = points.length >= 2;
  const from = isBetween ? new THREE.Vector3(points[0].x, points[0].y, points[0].z) : new THREE.Vector3();
  const to = isBetween
    ? new THREE.Vector3(points[1].x, points[1].y, points[1].z)
    : new THREE.Vector3(scale.x, 0, 0);
  const length = Math.max(1e-3, from.distanceTo(to));
  const width = (isBetween ? scale.x : scale.y) || 0.02;
  const head = Math.min(length * 0.4, isBetween && scale.z > 0 ? scale.z : width * 2);
  const shaft = new THREE.CylinderGeometry(width / 2, width / 2, length - head, 12).translate(
    0,
    (length - head) / 2,
    0,
  );
  const tip = new THREE.ConeGeometry(isBetween ? Math.max(scale.y / 2, width) : width, head, 12).translate(
    0,
    length - head / 2,
    0,
  );
  const group = new THREE.Group();
  const inner = new THREE.Group();
  inner.add(solid(shaft, { ...marker, colors: [] }), solid(tip, { ...marker, colors: [] }));
  inner.position.copy(from);
  inner.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).normalize());
  group.add(inner);
  return group;
}

/** Text that faces the camera; its height is the z of the scale. */
function text(marker: Marker): THREE.Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const pixels = 48;
  const font = `600 ${pixels}px system-ui, sans-serif`;
  context.font = font;
  canvas.width = Math.ceil(context.measureText(marker.text).width) + 16;
  canvas.height = pixels * 1.4;
  context.font = font;
  context.textBaseline = "middle";
  context.fillStyle = `#${colorOf(marker.color).getHexString()}`;
  context.fillText(marker.text, 8, canvas.height / 2);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, transparent: true, depthWrite: false }));
  const height = (marker.scale.z || 0.2) * 1.4;
  sprite.scale.set((height * canvas.width) / canvas.height, height, 1);
  return sprite;
}
