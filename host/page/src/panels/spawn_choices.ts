// What can be spawned: simple shapes, the models that the host finds, a file of the user, or an address.

import type { Resource, Spawnable, Vector3 } from "../api/types.ts";

export const SHAPES = ["box", "sphere", "cylinder"] as const;
export type Shape = (typeof SHAPES)[number];

/** Density of shapes, kg/m³: that of light wood. */
const DENSITY = 300;
/** Room between a placed model and the surface, metres, so that they do not overlap. */
const ROOM = 0.001;

/** Something that can be spawned. */
export interface Choice {
  resource: Resource;
  /** Distance of its origin from its lowest point, metres; null if only the host can tell. */
  height: number | null;
}

/** Describes a shape of a size as a model. */
export function shapeChoice(shape: Shape, metres: number): Choice {
  const half = metres / 2;
  const geometry = {
    box: `<box><size>${metres} ${metres} ${metres}</size></box>`,
    sphere: `<sphere><radius>${half}</radius></sphere>`,
    cylinder: `<cylinder><radius>${half}</radius><length>${metres}</length></cylinder>`,
  }[shape];
  const { mass, moments } = inertia(shape, metres);
  const [xx, yy, zz] = moments;
  const colour = { box: "0.80 0.45 0.20", sphere: "0.25 0.50 0.80", cylinder: "0.30 0.62 0.42" }[shape];
  const sdf = `<sdf version="1.9"><model name="${shape}"><link name="body">
    <inertial><mass>${mass}</mass><inertia><ixx>${xx}</ixx><iyy>${yy}</iyy><izz>${zz}</izz></inertia></inertial>
    <collision name="collision"><geometry>${geometry}</geometry></collision>
    <visual name="visual"><geometry>${geometry}</geometry><material><ambient>${colour} 1</ambient>
    <diffuse>${colour} 1</diffuse></material></visual></link></model></sdf>`;
  return { resource: { uri: "", resource_string: sdf }, height: half + ROOM };
}

/** Mass and principal moments of a solid shape, whose width, depth and height are equal. */
export function inertia(shape: Shape, metres: number): { mass: number; moments: [number, number, number] } {
  const volume = { box: 1, sphere: Math.PI / 6, cylinder: Math.PI / 4 }[shape] * metres ** 3;
  const mass = DENSITY * volume;
  const unit = mass * metres ** 2;
  const across = { box: unit / 6, sphere: unit / 10, cylinder: unit * (1 / 16 + 1 / 12) }[shape];
  return { mass, moments: [across, across, shape === "cylinder" ? unit / 8 : across] };
}

/** The last part of an address, without its ending. */
export function labelOf({ entity_resource: { uri } }: Spawnable): string {
  const parts = uri.replace(/\/(model\.(sdf|config|urdf))?$/, "").split("/");
  return (parts.pop() ?? uri).replace(/\.(sdf|urdf|world|xml)$/, "");
}

/** A model that the host lists. */
export function modelChoice({ entity_resource, spawn_bounds }: Spawnable): Choice {
  return { resource: entity_resource, height: heightOf(spawn_bounds) };
}

/** Distance of the origin from the lowest point of bounds; null without usable bounds. */
export function heightOf(bounds: { type: number; points: Vector3[] } | undefined): number | null {
  const BOX = 1;
  if (bounds?.type !== BOX || bounds.points.length < 2) return null;
  return -Math.min(...bounds.points.map(({ z }) => z)) + ROOM;
}
