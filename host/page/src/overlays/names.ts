// Names of entities beside them, as text of the page.

import { type Scene, SHAPE } from "../api/scene_types.ts";
import { h, setText } from "../ui/dom.ts";
import { type Context, Overlay } from "./overlay.ts";

/** The nearest ones are named; more would hide the world. */
const MOST = 60;

export class NamesOverlay extends Overlay {
  readonly element = h("div", { class: "names", "aria-hidden": "true" });
  private readonly labels: HTMLElement[] = [];

  constructor(context: Context) {
    super("names", "Names", context);
  }

  protected override start(): void {
    this.element.hidden = false;
  }

  protected override stop(): void {
    this.element.hidden = true;
  }

  protected override update(): void {
    const places = this.places();
    places.forEach(({ name, x, y }, index) => {
      const label = this.labels[index] ?? this.addLabel();
      setText(label, name);
      label.hidden = false;
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
    for (const label of this.labels.slice(places.length)) label.hidden = true;
  }

  /** Returns the entities in the picture, the nearest first. */
  private places(): { name: string; x: number; y: number }[] {
    const { view } = this.context;
    const world = view.world.get();
    if (!world) return [];
    const area = view.canvas.getBoundingClientRect();
    const camera = view.camera.camera.position;
    const seen = new Set<string>();
    const found: { name: string; x: number; y: number; distance: number }[] = [];
    const grounds = groundsOf(world.scene);
    world.scene.nodes.forEach(({ entity }, node) => {
      if (seen.has(entity)) return;
      seen.add(entity);
      if (grounds.has(entity)) return;
      const [x, y, z] = world.poses.subarray(node * 7, node * 7 + 3);
      const at = view.project(x, y, z + 0.3);
      if (!at || at.x < area.left || at.x > area.right || at.y < area.top || at.y > area.bottom) return;
      const distance = Math.hypot(x - camera.x, y - camera.y, z - camera.z);
      found.push({ name: entity, x: at.x - area.left, y: at.y - area.top, distance });
    });
    return apart(found.sort((a, b) => a.distance - b.distance)).slice(0, MOST);
  }

  private addLabel(): HTMLElement {
    const label = h("span", {});
    this.labels.push(label);
    this.element.append(label);
    return label;
  }
}

/** Distance between names below which the farther one is left out, pixels. */
const APART = { x: 70, y: 18 };

/** Leaves out names that would cover a nearer one. */
export function apart<T extends { x: number; y: number }>(places: readonly T[]): T[] {
  const kept: T[] = [];
  for (const place of places) {
    const covers = ({ x, y }: T) => Math.abs(x - place.x) < APART.x && Math.abs(y - place.y) < APART.y;
    if (kept.length < MOST && !kept.some(covers)) kept.push(place);
  }
  return kept;
}

/** Entities that consist of planes: their origin is not where one sees them. */
function groundsOf(scene: Scene): Set<string> {
  let grounds = GROUNDS.get(scene);
  if (!grounds) {
    grounds = findGrounds(scene);
    GROUNDS.set(scene, grounds);
  }
  return grounds;
}

const GROUNDS = new WeakMap<Scene, Set<string>>();

function findGrounds({ nodes, visuals }: Scene): Set<string> {
  const grounds = new Set<string>();
  const others = new Set<string>();
  for (const { node, type } of visuals) {
    const entity = nodes[node]?.entity;
    if (entity !== undefined) (type === SHAPE.PLANE ? grounds : others).add(entity);
  }
  for (const entity of others) grounds.delete(entity);
  return grounds;
}
