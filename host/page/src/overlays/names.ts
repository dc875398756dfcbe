// Names of entities beside them, as text of the page.

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
    world.scene.nodes.forEach(({ entity }, node) => {
      if (seen.has(entity)) return;
      seen.add(entity);
      const [x, y, z] = world.poses.subarray(node * 7, node * 7 + 3);
      const at = view.project(x, y, z + 0.3);
      if (!at || at.x < area.left || at.x > area.right || at.y < area.top || at.y > area.bottom) return;
      const distance = Math.hypot(x - camera.x, y - camera.y, z - camera.z);
      found.push({ name: entity, x: at.x - area.left, y: at.y - area.top, distance });
    });
    return found.sort((a, b) => a.distance - b.distance).slice(0, MOST);
  }

  private addLabel(): HTMLElement {
    const label = h("span", {});
    this.labels.push(label);
    this.element.append(label);
    return label;
  }
}
