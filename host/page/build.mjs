// Builds the page into dist/, or with --tests the unit tests into build/tests/.
//
// Two builds of the same sources give equal bytes: no time, path or random name gets into a file.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { readCatalogue } from "./catalogue.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const DIST = join(HERE, "dist");
/** Keeps the folder in the repository: the build of the host depends on it. */
const PLACEHOLDER = ".gitkeep";
/** Largest size of all files together, compressed. */
const LIMIT_BYTES = 1_000_000;

process.chdir(HERE);
await (process.argv.includes("--tests") ? buildTests() : buildPage());

async function buildPage() {
  const result = await build({
    entryPoints: { page: "src/main.ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    outdir: DIST,
    legalComments: "none",
    write: false,
    loader: { ".svg": "text" },
    metafile: true,
    logLevel: "warning",
  });
  const files = new Map(
    result.outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]),
  );
  for (const name of ["index.html", "favicon.svg"]) files.set(name, readFileSync(join(HERE, name)));
  const catalogue = readCatalogue(readFileSync(join(HERE, "../../docs/errors.md"), "utf8"));
  files.set("errors.json", Buffer.from(`${JSON.stringify(catalogue)}\n`));
  files.set("licences.txt", Buffer.from(licences(packagesOf(result.metafile))));
  write(files);
  report(files);
}

/** Writes the files that have changed and removes all others, so that the host is compiled again only if necessary. */
function write(files) {
  mkdirSync(DIST, { recursive: true });
  for (const name of readdirSync(DIST)) {
    if (name !== PLACEHOLDER && !files.has(name)) rmSync(join(DIST, name), { recursive: true });
  }
  for (const [name, bytes] of files) {
    const path = join(DIST, name);
    if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
  }
}

/** Returns the folders of the packages whose files are in the bundle, in order of their names. */
function packagesOf(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  return [...names].sort();
}

function licences(packages) {
  const parts = packages.map((name) => {
    const folder = join(HERE, "node_modules", name);
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder)
      .sort()
      .find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`the package ${name} has no licence file`);
    const text = readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${about.version} (${about.license})\n\n${text}\n`;
  });
  return `The page of Bridgehead contains these libraries.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`;
}

function report(files) {
  let total = 0;
  for (const [name, bytes] of [...files].sort(([first], [second]) => (first < second ? -1 : 1))) {
    const compressed = gzipSync(bytes, { level: 9 }).length;
    total += compressed;
    console.log(`${name.padEnd(14)} ${String(bytes.length).padStart(8)} bytes, compressed ${compressed}`);
  }
  console.log(`together, compressed: ${total} bytes`);
  if (total > LIMIT_BYTES) throw new Error(`the page is larger than ${LIMIT_BYTES} bytes`);
}

async function buildTests() {
  const folder = join(HERE, "test/unit");
  const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  rmSync(join(HERE, "build/tests"), { recursive: true, force: true });
  await build({
    entryPoints: tests.map((name) => join(folder, name)),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outdir: join(HERE, "build/tests"),
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
}
