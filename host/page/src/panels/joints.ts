// The joints of the selected model: their angles from the poses of the links, and sliders if something drives them.

import type { App } from "../app.ts";
import type { ElementDescription, JointDescription, WorldDescription } from "../api/types.ts";
import { compose, DEGREES, inverse, type Pose, poseAt } from "../math.ts";
import type { Off } from "../state/signal.ts";
import { h, setText } from "../ui/dom.ts";
import { fixed } from "../ui/format.ts";
import { newestOnly } from "../ui/newest.ts";

const PERIOD_MS = 100;
/** Range of a slider of a joint without limits: a turn to both sides, or a metre. */
const FREE_ANGLE = Math.PI;
const FREE_METRES = 1;
const MOVING = new Set(["revolute", "continuous", "prismatic"]);

/** Returns the position of a joint with one axis: the angle or distance of its child since the start, rad or m. */
export function jointPosition(
  joint: JointDescription,
  first: { parent: Pose; child: Pose },
  now: { parent: Pose; child: Pose },
): number {
  const start = compose(relative(first), joint.pose);
  const present = compose(relative(now), joint.pose);
  const moved = compose(inverse(start), present);
  const { x, y, z } = joint.axis;
  if (joint.type === "prismatic") {
    const { position: p } = moved;
    return p.x * x + p.y * y + p.z * z;
  }
  const q = moved.orientation;
  const angle = 2 * Math.atan2(q.x * x + q.y * y + q.z * z, q.w);
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

function relative({ parent, child }: { parent: Pose; child: Pose }): Pose {
  return compose(inverse(parent), child);
}

/** A way to command a joint. */
export interface Drive {
  topic: string;
  type: string;
  message(position: number): object;
}

const FLOAT = "std_msgs/msg/Float64";
const JOINT_STATE = "sensor_msgs/msg/JointState";
const TRAJECTORY = "trajectory_msgs/msg/JointTrajectory";

/** Returns how a joint can be commanded to a position; null if no plugin takes such commands. */
export function driveOf(joint: JointDescription, elements: readonly ElementDescription[]): Drive | null {
  const name = shortName(joint);
  for (const element of elements) {
    if (element.model !== joint.model) continue;
    const named = [...element.xml.matchAll(/<joint_name>\s*([^<]+?)\s*<\/joint_name>/g)].map(
      ([, one]) => one,
    );
    if (named.length > 0 && !named.includes(name)) continue;
    const topic = (type: string) =>
      element.topics.find((one) => one.type === type && !one.is_published)?.topic;
    const [position, command, trajectory] = [topic(FLOAT), topic(JOINT_STATE), topic(TRAJECTORY)];
    if (element.plugin === "joint_position" && position) {
      return { topic: position, type: FLOAT, message: (value) => ({ data: value }) };
    }
    if (element.plugin === "joint_command" && command) {
      return { topic: command, type: JOINT_STATE, message: (value) => ({ name: [name], position: [value] }) };
    }
    if (element.plugin === "joint_trajectory" && trajectory) {
      const points = (value: number) => [{ positions: [value], time_from_start: { sec: 0, nanosec: 0 } }];
      const message = (value: number) => ({ joint_names: [name], points: points(value) });
      return { topic: trajectory, type: TRAJECTORY, message };
    }
  }
  return null;
}

/** The name of a joint in messages: within its model. */
export function shortName({ name, model }: JointDescription): string {
  return name.startsWith(`${model}::`) ? name.slice(model.length + 2) : name;
}

/** The joints of an entity; hidden if none can move. Subscriptions that end with the selection are added to `offs`. */
export function jointList(app: App, entity: string, offs: Off[]): HTMLElement {
  const list = h("ul", { class: "joints", "aria-label": `Joints of ${entity}` });
  const element = h("div", { "data-test": "joints", hidden: true }, h("h4", {}, "Joints"), list);
  let rows: { update(): void }[] = [];
  const draw = (world: WorldDescription | null) => {
    const isOwn = ({ model }: JointDescription) => model === entity || model.startsWith(`${entity}::`);
    const joints = world?.joints.filter((joint) => isOwn(joint) && MOVING.has(joint.type)) ?? [];
    const made = joints.map((joint) => jointRow(app, world!, joint));
    list.replaceChildren(...made.map((row) => row.element));
    rows = made;
    element.hidden = joints.length === 0;
  };
  offs.push(app.host.description.watch(draw));
  const timer = window.setInterval(() => {
    if (document.hidden) return;
    for (const row of rows) row.update();
  }, PERIOD_MS);
  offs.push(() => window.clearInterval(timer));
  return element;
}

function jointRow(
  app: App,
  world: WorldDescription,
  joint: JointDescription,
): { element: Element; update(): void } {
  const isAngle = joint.type !== "prismatic";
  const name = shortName(joint);
  const value = h("output", { class: "value", "data-test": `joint-${name}` }, "–");
  const drive = driveOf(joint, world.elements);
  const free = isAngle ? FREE_ANGLE : FREE_METRES;
  const limit = (given: number | string, other: number) =>
    Number.isFinite(Number(given)) ? Number(given) : other;
  const slider = h("input", {
    type: "range",
    min: limit(joint.lower, -free),
    max: limit(joint.upper, free),
    step: "any",
    disabled: drive === null,
    "aria-label": `Position of ${name}`,
    title: drive ? `commands ${drive.topic}` : "No plugin of the model takes positions of this joint.",
    "data-test": `slider-${name}`,
  });
  // A recording has nothing to command.
  slider.classList.toggle("of-run", drive !== null);
  let isCommanded = false;
  const send = newestOnly(async (position: number) => {
    if (!drive) return;
    const request = { topic: drive.topic, type: drive.type, json: JSON.stringify(drive.message(position)) };
    await app.notices.run("The joint cannot be moved", () => app.http.call("publish_message", request));
  });
  slider.addEventListener("input", () => {
    isCommanded = true;
    send(Number(slider.value));
  });
  const offReset = app.host.run.get();
  const update = () => {
    // After a reset, the slider follows the joint again.
    if (app.host.run.get() !== offReset) isCommanded = false;
    const now = positionNow(app, world, joint);
    if (now === null) return;
    setText(value, isAngle ? `${fixed(now * DEGREES, 1)}°` : `${fixed(now, 3)} m`);
    if (!isCommanded) slider.value = String(now);
  };
  const element = h(
    "li",
    {},
    h("span", { class: "name", title: `${joint.name}, ${joint.type}` }, name),
    slider,
    value,
  );
  return { element, update };
}

function positionNow(app: App, world: WorldDescription, joint: JointDescription): number | null {
  const drawn = app.view?.world.get();
  const poseOf = (link: string): Pose | null => {
    if (link === "world") return { position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } };
    const node = drawn?.nodeIndex(link) ?? -1;
    return drawn && node >= 0 ? poseAt(drawn.poses, node * 7) : null;
  };
  const firstOf = (link: string) => world.links.find(({ name }) => name === link)?.pose ?? poseOf("world");
  const [parent, child] = [poseOf(joint.parent), poseOf(joint.child)];
  const [firstParent, firstChild] = [firstOf(joint.parent), firstOf(joint.child)];
  if (!parent || !child || !firstParent || !firstChild) return null;
  return jointPosition(joint, { parent: firstParent, child: firstChild }, { parent, child });
}
