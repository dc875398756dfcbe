// Materials of the scene as materials of the library.
//
// The colour of a surface is not part of its material but of each instance, so that shapes that differ only in colour are
// drawn together.

import * as THREE from "three";
import { MATERIAL, type Scene, type SceneMaterial } from "../api/scene_types.ts";
import type { Color } from "../api/types.ts";
import type { Textures } from "./textures.ts";

/** Colour of surfaces without a material. */
const DEFAULT_COLOR: Color = { r: 0.7, g: 0.7, b: 0.7, a: 1 };

/** Sets a colour from the numbers of the file, which are in sRGB. */
export function setColor(color: THREE.Color, { r, g, b }: Color): THREE.Color {
  return color.setRGB(r, g, b, THREE.SRGBColorSpace);
}

export function colorOf(material: SceneMaterial | undefined): Color {
  return material?.diffuse ?? DEFAULT_COLOR;
}

/** Returns a text that is equal for materials that can be drawn together. */
export function keyOf(material: SceneMaterial | undefined, transparency: number): string {
  if (!material) return `none ${transparency}`;
  const { name: _, ambient: __, diffuse, ...rest } = material;
  return JSON.stringify([rest, opacityOf(diffuse.a, transparency)]);
}

function opacityOf(alpha: number, transparency: number): number {
  return Math.max(0, Math.min(1, alpha * (1 - transparency)));
}

export class Materials {
  constructor(
    private readonly scene: Scene,
    private readonly textures: Textures,
    private readonly changed: () => void,
  ) {}

  create(source: SceneMaterial | undefined, transparency: number, isPlane: boolean): THREE.Material {
    const material = this.lit(source);
    // With the back sides, light would come through below things that stand on a surface.
    material.shadowSide = THREE.FrontSide;
    const opacity = opacityOf(source?.diffuse.a ?? 1, transparency);
    if (opacity < 1) {
      material.transparent = true;
      material.opacity = opacity;
      material.depthWrite = opacity > 0.9;
    }
    if (source?.double_sided || isPlane) material.side = THREE.DoubleSide;
    if (source && source.alpha_cutoff > 0) material.alphaTest = source.alpha_cutoff;
    const order = (source?.render_order ?? 0) - (isPlane ? 1 : 0);
    if (order !== 0) {
      material.polygonOffset = true;
      material.polygonOffsetFactor = -order;
      material.polygonOffsetUnits = -order;
    }
    return material;
  }

  private lit(source: SceneMaterial | undefined): THREE.Material {
    if (!source) return new THREE.MeshPhongMaterial({ specular: 0x111111, shininess: 10 });
    if (source.unlit) {
      const material = new THREE.MeshBasicMaterial();
      this.map(source.color_map, true, material, (texture) => {
        material.map = texture;
      });
      return material;
    }
    return source.type === MATERIAL.PHONG ? this.phong(source) : this.physical(source);
  }

  private phong(source: SceneMaterial): THREE.MeshPhongMaterial {
    const material = new THREE.MeshPhongMaterial({ shininess: Math.max(1, source.shininess) });
    setColor(material.specular, source.specular);
    setColor(material.emissive, source.emissive);
    this.common(source, material);
    this.map(source.specular_map, true, material, (texture) => {
      material.specularMap = texture;
    });
    return material;
  }

  /** Glossiness is the opposite of roughness; the colour of highlights is left to the library. */
  private physical(source: SceneMaterial): THREE.MeshStandardMaterial {
    const isMetal = source.type === MATERIAL.METAL;
    const material = new THREE.MeshStandardMaterial({
      metalness: isMetal ? source.metalness : 0,
      roughness: isMetal ? source.roughness : 1 - source.glossiness,
    });
    setColor(material.emissive, source.emissive);
    this.common(source, material);
    this.map(source.roughness_map, false, material, (texture) => {
      material.roughnessMap = texture;
    });
    this.map(source.metalness_map, false, material, (texture) => {
      material.metalnessMap = texture;
    });
    this.map(source.environment_map, true, material, (texture) => {
      texture.mapping = THREE.EquirectangularReflectionMapping;
      material.envMap = texture;
    });
    return material;
  }

  private common(
    source: SceneMaterial,
    material: THREE.MeshPhongMaterial | THREE.MeshStandardMaterial,
  ): void {
    this.map(source.color_map, true, material, (texture) => {
      material.map = texture;
    });
    this.map(source.normal_map, false, material, (texture) => {
      material.normalMap = texture;
      material.normalMapType = source.normal_in_object_space
        ? THREE.ObjectSpaceNormalMap
        : THREE.TangentSpaceNormalMap;
    });
    this.map(source.emissive_map, true, material, (texture) => {
      material.emissiveMap = texture;
      if (material.emissive.getHex() === 0) material.emissive.set(0xffffff);
    });
    this.map(source.occlusion_map, false, material, (texture) => {
      material.aoMap = texture;
    });
    this.map(source.light_map, true, material, (texture) => {
      material.lightMap = texture;
    });
  }

  private map(
    index: number,
    isColor: boolean,
    material: THREE.Material,
    set: (texture: THREE.Texture) => void,
  ): void {
    if (index < 0) return;
    this.textures.use(this.scene.textures[index], isColor, (texture) => {
      set(texture);
      material.needsUpdate = true;
      this.changed();
    });
  }
}
