// Connection strings of the bridges: one example each, and what can be seen to be wrong while they are typed.

/** An example of each bridge that comes with the program. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  ardupilot: ":9002;imu=/copter/imu",
  betaflight: ";rate=500",
  cloisim: "127.0.0.1:8080",
  foxglove: "127.0.0.1:8765",
  gz: "partition=demo",
  logging: "run.mcap;topics=/car1/*,/clock",
  mavlink: "tcpin::4560",
  replay: "commands.jsonl;topics=*cmd_vel",
  ros2: "domain=0;interface=lo",
  rosbridge: "127.0.0.1:9090",
  zenoh: "mode=peer;connect=tcp/localhost:7447",
  zenoh_plain: "mode=router;prefix=lab",
};

/** Bridges whose connection string begins with a file. The host does not let a client leave the folder of these files. */
const FILES: Readonly<Record<string, string>> = {
  logging: "the output directory of the run",
  replay: "the folder of the world file",
};

const LARGEST_PORT = 65_535;

/** Returns what is wrong with a connection string; empty if nothing can be seen. The host checks the rest. */
export function connectionProblem(bridge: string, text: string): string {
  const [target = ""] = text.split(";");
  const folder = FILES[bridge];
  if (folder !== undefined) return pathProblem(target, folder);
  return portProblem(target);
}

/** Returns why a file cannot be written or read at a path; empty if it can. */
export function pathProblem(path: string, folder: string): string {
  const written = path.trim();
  if (written.startsWith("/"))
    return `\`${written}\` is an absolute path; write one that is relative to ${folder}`;
  if (written.split("/").includes(".."))
    return `\`${written}\` leaves ${folder}; write a path without \`..\``;
  return "";
}

/** Returns what is wrong with the port of an address; empty if it has none or a possible one. */
function portProblem(target: string): string {
  const port = /^(?:[a-z0-9]+:\/\/)?(?:\[[^\]]*\]|[^:/=]*):([^/:]*)(?:\/.*)?$/i.exec(target.trim())?.[1];
  if (port === undefined || port === "") return "";
  if (/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= LARGEST_PORT) return "";
  return `\`${port}\` is not a port; write a number from 1 to ${LARGEST_PORT}`;
}
