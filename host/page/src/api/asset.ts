// Meshes and textures by their hashes. Each is loaded once; the browser keeps them, because they never change.

import type { Http } from "./http.ts";

const SIDE_BY_SIDE = 6;

export class Assets {
  private readonly loads = new Map<string, Promise<ArrayBuffer>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly http: Http) {}

  load(hash: string): Promise<ArrayBuffer> {
    const known = this.loads.get(hash);
    if (known) return known;
    const load = this.fetch(hash);
    this.loads.set(hash, load);
    load.catch(() => this.loads.delete(hash));
    return load;
  }

  /** Keeps only assets of a scene. */
  keep(hashes: ReadonlySet<string>): void {
    for (const hash of this.loads.keys()) if (!hashes.has(hash)) this.loads.delete(hash);
  }

  private async fetch(hash: string): Promise<ArrayBuffer> {
    if (this.running >= SIDE_BY_SIDE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.running += 1;
    try {
      const response = await this.http.fetch(`/scene/assets/${hash}`);
      if (!response.ok) throw new Error(`the host answered with status ${response.status}`);
      return await response.arrayBuffer();
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }
}
