// A mock host: serves the page, a scene and poses. With the address of a real host, everything else comes from that one.
//
//   node test/mock.mjs [--port 8190] [--host http://127.0.0.1:8090] [--bodies 1000 [--moving 1000]] [--token TOKEN]

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { followedWorld } from "./mock_follow.mjs";
import { assets, crowdScene, pose, shapesPoses, shapesScene } from "./mock_scene.mjs";
import { poseFrame, serveSockets } from "./mock_ws.mjs";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; worker-src 'self'";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "8190" },
    host: { type: "string", default: "" },
    bodies: { type: "string", default: "0" },
    moving: { type: "string" },
    token: { type: "string", default: "" },
  },
});

/** A world without a real host: it plays for ever. */
function ownWorld() {
  const started = Date.now();
  const bodies = Number(options.bodies);
  const moving = Number(options.moving ?? options.bodies);
  const scene = bodies > 0 ? crowdScene(1, bodies, moving) : shapesScene(1);
  const seconds = () => (Date.now() - started) / 1000;
  const crowd = (time) =>
    scene.nodes
      .slice(0, moving)
      .map(({ pose: { position } }, index) =>
        pose(position.x, position.y, 0.3 + 0.2 * Math.sin(3 * time + index), time),
      );
  const status = () => ({
    state: "StepBegin",
    simulation_state: { state: 1 },
    step: Math.round(seconds() * 1000),
    time_ns: Math.round(seconds() * 1e9),
    step_width_ns: 1_000_000,
    reset_epoch: 0,
    target_real_time_factor: 1,
    real_time_factor: 1,
    achievable_real_time_factor: 50,
    world: scene.world,
    outcome: "stopped",
    errors: [],
    allowed: ["pause", "reset", "stop"],
  });
  const frame = (state) => {
    const time = seconds();
    const head = { revision: 1, step: Math.round(time * 1000), time, epoch: 0 };
    const isFirst = state.revision !== 1;
    state.revision = 1;
    if (bodies === 0) return poseFrame(head, null, shapesPoses(scene, time));
    const poses = crowd(time);
    if (isFirst)
      return poseFrame(head, null, [...poses, ...scene.nodes.slice(moving).map((node) => node.pose)]);
    return poseFrame(
      head,
      poses.map((_, index) => index),
      poses,
    );
  };
  const ok = { result: 1, error_message: "" };
  const answers = {
    get_status: () => ({ status: status() }),
    get_entities: () => ({ entities: scene.nodes.map(({ entity }) => entity) }),
    get_world_description: () => ({
      description: { world: scene.world, revision: 1, models: [], links: [], joints: [], elements: [] },
    }),
    get_topics: () => ({ topics: [] }),
  };
  return {
    upstream: "",
    scene: () => scene,
    frame,
    subject: (what) => (what === "status" ? { result: ok, status: status() } : null),
    answer: (service) => ({ result: ok, ...answers[service]?.() }),
  };
}

const world = options.host === "" ? ownWorld() : followedWorld(options.host);

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://mock");
  try {
    await serve(request, response, url);
  } catch (error) {
    response.writeHead(502).end(JSON.stringify({ code: "", message: String(error) }));
  }
});

async function serve(request, response, url) {
  const { pathname } = url;
  const file = join(DIST, pathname === "/" ? "index.html" : pathname);
  if (file.startsWith(DIST) && existsSync(file) && !pathname.endsWith("/..")) {
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, {
      "content-type": type,
      "content-security-policy": POLICY,
      "cache-control": "no-cache",
    });
    response.end(readFileSync(file));
    return;
  }
  if (options.token !== "" && request.headers.authorization !== `Bearer ${options.token}`) {
    return json(response, 401, { code: "BH-WEB-012", message: "a token is required" });
  }
  const asset = assets.get(pathname.replace("/scene/assets/", ""));
  if (asset) {
    response
      .writeHead(200, { "content-type": asset.type, "cache-control": "public, max-age=31536000, immutable" })
      .end(asset.bytes);
    return;
  }
  const body = await text(request);
  if (pathname === "/api/get_scene") {
    const known = Number(
      JSON.parse(body || "{}").known_revision ?? url.searchParams.get("known_revision") ?? 0,
    );
    const scene = world.scene();
    const isKnown = known === scene.revision;
    return json(response, 200, {
      result: { result: 1, error_message: "" },
      revision: scene.revision,
      scene: isKnown ? { revision: 0 } : scene,
    });
  }
  if (world.upstream !== "") return forward(request, response, url, body);
  if (pathname === "/api") return json(response, 200, { services: [], actions: [] });
  if (pathname.startsWith("/api/")) return json(response, 200, world.answer(pathname.slice(5)));
  json(response, 404, { code: "BH-WEB-020", message: `there is nothing at ${pathname}` });
}

async function forward(request, response, url, body) {
  const headers = { "content-type": "application/json" };
  const hasBody = body !== "" && request.method !== "GET";
  const answer = await fetch(`${world.upstream}${url.pathname}${url.search}`, {
    method: request.method,
    headers,
    body: hasBody ? body : undefined,
  });
  response.writeHead(answer.status, {
    "content-type": answer.headers.get("content-type") ?? "application/json",
  });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function json(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function text(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

serveSockets(server, world);
server.listen(Number(options.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${options.port}`));
