// Textures of materials. A surface is drawn without its texture until that has been loaded.

import * as THREE from "three";
import type { Assets } from "../api/asset.ts";
import type { SceneTexture } from "../api/scene_types.ts";

export class Textures {
  private readonly known = new Map<string, Promise<THREE.Texture>>();

  constructor(
    private readonly assets: Assets,
    /** Called with a message if a texture cannot be used. */
    private readonly failed: (text: string) => void,
  ) {}

  /** Calls the function when the texture is there. */
  use(texture: SceneTexture | undefined, isColor: boolean, ready: (texture: THREE.Texture) => void): void {
    if (!texture) return;
    const key = `${texture.hash} ${isColor}`;
    let load = this.known.get(key);
    if (!load) {
      load = this.load(texture, isColor);
      this.known.set(key, load);
    }
    load.then(ready, (error: unknown) => {
      this.known.delete(key);
      this.failed(`The texture ${texture.uri || texture.hash.slice(0, 8)} is not shown: ${String(error)}`);
    });
  }

  private async load({ hash, media_type }: SceneTexture, isColor: boolean): Promise<THREE.Texture> {
    const bytes = await this.assets.load(hash);
    const image = await createImageBitmap(new Blob([bytes], { type: media_type }), {
      colorSpaceConversion: "none",
      premultiplyAlpha: "none",
    });
    const texture = new THREE.Texture(image);
    texture.flipY = false;
    texture.colorSpace = isColor ? THREE.SRGBColorSpace : THREE.NoColorSpace;
    texture.wrapS = THREE.RepeatWrapping;
    texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = 4;
    texture.needsUpdate = true;
    return texture;
  }

  /** Frees the textures of scenes before. */
  keep(hashes: ReadonlySet<string>): void {
    for (const [key, load] of this.known) {
      if (hashes.has(key.split(" ")[0])) continue;
      this.known.delete(key);
      load.then((texture) => texture.dispose()).catch(() => undefined);
    }
  }
}
