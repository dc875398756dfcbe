// The WebSocket of the mock host: sends poses itself and passes everything else to a real host if there is one.

import { WebSocket, WebSocketServer } from "ws";

const MAGIC = 0x31504842;

/** Returns a frame of poses. `nodes` are the indices of changed nodes; null for all. */
export function poseFrame({ revision, step, time, epoch, lost = 0 }, nodes, poses) {
  const indexBytes = nodes ? nodes.length * 4 : 0;
  const frame = Buffer.alloc(48 + indexBytes + poses.length * 28);
  frame.writeUInt32LE(MAGIC, 0);
  frame.writeUInt32LE(nodes ? 1 : 0, 4);
  frame.writeBigUInt64LE(BigInt(revision), 8);
  frame.writeBigUInt64LE(BigInt(step), 16);
  frame.writeBigInt64LE(BigInt(Math.round(time * 1e9)), 24);
  frame.writeUInt32LE(epoch, 32);
  frame.writeUInt32LE(poses.length, 36);
  frame.writeUInt32LE(lost, 40);
  for (const [index, node] of (nodes ?? []).entries()) frame.writeUInt32LE(node, 48 + index * 4);
  const numbers = new Float32Array(poses.length * 7);
  for (const [index, { position: p, orientation: q }] of poses.entries()) {
    numbers.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w], index * 7);
  }
  Buffer.from(numbers.buffer).copy(frame, 48 + indexBytes);
  return frame;
}

/**
 * Serves `/ws`. `world` has `frame(isFirst)`, which returns a frame or null, `subject(what)` with the data of other
 * subjects, and `upstream`, the address of a real host or an empty text.
 */
export function serveSockets(server, world) {
  const sockets = new WebSocketServer({
    server,
    path: "/ws",
    handleProtocols: (offered) => (offered.has("bridgehead") ? "bridgehead" : false),
  });
  sockets.on("connection", (client) => serve(client, world));
  return sockets;
}

function serve(client, world) {
  const timers = new Map();
  const upstream = world.upstream === "" ? null : new WebSocket(`${world.upstream.replace("http", "ws")}/ws`);
  const waiting = [];
  upstream?.on("open", () => {
    for (const text of waiting) upstream.send(text);
  });
  upstream?.on(
    "message",
    (data, isBinary) => client.readyState === WebSocket.OPEN && client.send(data, { binary: isBinary }),
  );
  upstream?.on("close", () => client.close(1001));
  upstream?.on("error", () => client.close(1001));
  client.on("message", (data) => {
    const text = data.toString();
    const { op, what, rate = 60 } = JSON.parse(text);
    const isOwn = what === "poses" || !upstream;
    if (!isOwn) {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
      else waiting.push(text);
      return;
    }
    clearInterval(timers.get(what));
    client.send(JSON.stringify({ op: `${op}d`, what }));
    if (op === "subscribe") timers.set(what, setInterval(sender(client, world, what), 1000 / rate));
  });
  client.on("close", () => {
    for (const timer of timers.values()) clearInterval(timer);
    upstream?.close();
  });
}

function sender(client, world, what) {
  if (what === "poses") {
    const state = { revision: -1 };
    return () => {
      const frame = world.frame(state);
      if (frame && client.bufferedAmount < 1e6) client.send(frame);
    };
  }
  return () => {
    const data = world.subject(what);
    if (data) client.send(JSON.stringify({ op: "event", what, epoch: 0, data }));
  };
}
