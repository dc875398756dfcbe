// A scene for a real host that offers poses of links but no scene: a shape for each link, guessed from its name.

import { light, material, surroundings, visual } from "./mock_scene.mjs";
import { poseFrame } from "./mock_ws.mjs";

const PERIOD_MS = 16;
const COLORS = {
  ground: [0.55, 0.57, 0.55],
  crate: [0.9, 0.05, 0.05],
  column: [0.6, 0.6, 0.65],
  boulder: [0.4, 0.38, 0.36],
  car1: [0.15, 0.35, 0.65],
  car2: [0.7, 0.45, 0.15],
};

function shapeOf(link) {
  if (link.startsWith("ground")) return [7, [20, 20, 0]];
  if (/wheel/.test(link)) return link.startsWith("car1") ? [3, [0.2, 0.2, 0.05]] : [3, [0.14, 0.14, 0.04]];
  if (/chassis/.test(link)) return [1, [0.5, 0.3, 0.1]];
  if (link.startsWith("column")) return [3, [0.8, 0.8, 1.5]];
  if (link.startsWith("boulder")) return [2, [1.2, 1.2, 1.2]];
  return [1, [1, 1, 1]];
}

function sceneOf(revision, links, poses) {
  const entities = [...new Set(links.map((link) => link.split("::")[0]))];
  const materials = entities.map((entity) => {
    const [r, g, b] = COLORS[entity] ?? [0.5, 0.6, 0.4];
    return material({ r, g, b, a: 1 });
  });
  const nodes = links.map((name, index) => ({
    name,
    entity: name.split("::")[0],
    pose: poses[index],
    is_static: /ground|crate|column|boulder/.test(name),
  }));
  const visuals = links.map((name, node) => {
    const [type, size] = shapeOf(name);
    return visual(`${name}::visual`, node, type, size, entities.indexOf(name.split("::")[0]));
  });
  return {
    revision,
    world: "two_vehicles",
    surroundings: surroundings({ sky: true }),
    nodes,
    visuals,
    lights: [light("sun", 2)],
    materials,
    meshes: [],
    textures: [],
  };
}

/** Follows the poses of a host. */
export function followedWorld(upstream) {
  let scene = sceneOf(0, [], []);
  let latest = { poses: [], revision: 0, time: 0, step: 0 };
  const read = async () => {
    const query = `known_revision=${scene.revision}`;
    const answer = await fetch(`${upstream}/api/get_link_poses?${query}`);
    const { revision, links, poses, header } = await answer.json();
    const list = [];
    for (let at = 0; at + 6 < poses.length; at += 7) {
      const [x, y, z, qx, qy, qz, qw] = poses.slice(at, at + 7);
      list.push({ position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w: qw } });
    }
    if (links.length > 0) scene = sceneOf(revision, links, list);
    const time = header.stamp.sec + header.stamp.nanosec / 1e9;
    latest = { poses: list, revision, time, step: Math.round(time * 1000) };
  };
  const loop = async () => {
    await read().catch(() => undefined);
    setTimeout(loop, PERIOD_MS);
  };
  void loop();
  const frame = (state) => {
    if (latest.poses.length === 0 || (state.time === latest.time && state.revision === latest.revision))
      return null;
    Object.assign(state, latest);
    return poseFrame({ ...latest, epoch: 0 }, null, latest.poses);
  };
  return { upstream, scene: () => scene, frame, subject: () => null, answer: () => ({}) };
}
