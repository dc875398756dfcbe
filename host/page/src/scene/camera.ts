// The camera: orbits a point, follows a node, or looks through a sensor. The z axis is up.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { compose, type Pose, poseAt, rotate, type Vector3 } from "../math.ts";
import type { DrawnWorld } from "./drawn_world.ts";

/** What moves the camera besides the user. */
export type Mount =
  | { kind: "free" }
  | { kind: "follow"; node: string; label: string }
  | { kind: "sensor"; node: string; pose: Pose; label: string; fieldOfView: number };

const FIELD_OF_VIEW = 50;
/** Directions from which the camera looks at first; the first one from which it sees something is taken. */
const SIDES = 8;
const LOW_ELEVATION = (21 * Math.PI) / 180;
const HIGH_ELEVATION = (34 * Math.PI) / 180;
const FIRST_AZIMUTH = Math.atan2(-0.62, -0.55);
const LEAST_FRAMED = 0.8;
const NEAREST = 0.02;
const FORWARD: Vector3 = { x: 1, y: 0, z: 0 };
const UP: Vector3 = { x: 0, y: 0, z: 1 };

export class ViewCamera {
  readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, NEAREST, 2000);
  readonly controls: OrbitControls;
  private mount: Mount = { kind: "free" };
  private readonly followed = new THREE.Vector3();
  private isFollowing = false;
  private isTouched = false;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(-6, -8, 6);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 0, 0);
    this.controls.zoomToCursor = true;
    this.controls.maxDistance = 1500;
    this.controls.minDistance = 0.05;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => {
      this.isTouched = true;
    });
    this.controls.update();
    canvas.addEventListener("keydown", (event) => this.turnByKey(event));
  }

  target(): THREE.Vector3 {
    return this.controls.target;
  }

  distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  mounted(): Mount {
    return this.mount;
  }

  setMount(mount: Mount): void {
    this.isTouched = true;
    const wasSensor = this.mount.kind === "sensor";
    this.mount = mount;
    this.isFollowing = false;
    this.controls.enabled = mount.kind !== "sensor";
    this.camera.fov = mount.kind === "sensor" ? mount.fieldOfView : FIELD_OF_VIEW;
    this.camera.updateProjectionMatrix();
    if (wasSensor && mount.kind !== "sensor") this.leaveSensor();
  }

  setSize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  /** The user has not moved the camera since it was placed. */
  isUntouched(): boolean {
    return !this.isTouched;
  }

  /** Shows a box from the side and from above. */
  fit(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    const { centre, radius } = ball(box);
    this.place(centre, this.distanceFor(radius) * 0.95, FIRST_AZIMUTH, HIGH_ELEVATION);
  }

  /** Returns the place from which a box is shown as a whole. */
  placeFor(box: THREE.Box3): THREE.Vector3 {
    const { centre, radius } = ball(box);
    return offset(this.distanceFor(radius) * 0.95, FIRST_AZIMUTH, HIGH_ELEVATION).add(centre);
  }

  /** Shows a box from a low place, so that one sees what is behind it, and from a side from which nothing hides it. */
  frame(box: THREE.Box3, isHidden: (from: THREE.Vector3, to: THREE.Vector3) => boolean): void {
    if (box.isEmpty()) return;
    const { centre, radius } = ball(box);
    // Some room around a small vehicle shows where it is.
    const distance = this.distanceFor(Math.max(LEAST_FRAMED, radius)) * 1.25;
    const azimuths = Array.from({ length: SIDES }, (_, side) => FIRST_AZIMUTH + (side * 2 * Math.PI) / SIDES);
    const from = (azimuth: number) => offset(distance, azimuth, LOW_ELEVATION).add(centre);
    const azimuth = azimuths.find((one) => !isHidden(from(one), centre)) ?? FIRST_AZIMUTH;
    this.place(centre, distance, azimuth, LOW_ELEVATION);
  }

  /** Looks at a box from the present direction. Comes nearer if it is far away, and never goes back. */
  focus(box: THREE.Box3): void {
    if (box.isEmpty()) return;
    const { centre, radius } = ball(box);
    const back = this.camera.position.clone().sub(this.controls.target);
    back.setLength(Math.min(back.length(), this.distanceFor(radius) * 1.6));
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(back);
    this.controls.update();
    this.isTouched = true;
  }

  /** Distance at which a ball fills the narrower side of the picture. */
  private distanceFor(radius: number): number {
    const vertical = (FIELD_OF_VIEW * Math.PI) / 180;
    const horizontal = 2 * Math.atan(Math.tan(vertical / 2) * this.camera.aspect);
    return radius / Math.sin(Math.min(vertical, horizontal) / 2);
  }

  private place(centre: THREE.Vector3, distance: number, azimuth: number, elevation: number): void {
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(offset(distance, azimuth, elevation));
    this.controls.update();
    this.isTouched = false;
  }

  /** Moves the camera with its node. Called before each drawing. */
  update(world: DrawnWorld | null): void {
    this.fitDepth();
    if (!world || this.mount.kind === "free") return;
    const node = world.nodeIndex(this.mount.node);
    if (node < 0) return;
    const pose = poseAt(world.poses, node * 7);
    if (this.mount.kind === "sensor") this.lookThrough(compose(pose, this.mount.pose));
    else this.follow(pose.position);
    this.camera.updateMatrixWorld();
  }

  /** From far away, what is near to the camera is not drawn: the distances of the rest are then told apart better. */
  private fitDepth(): void {
    const near =
      this.mount.kind === "sensor" ? NEAREST : Math.max(NEAREST, Math.min(0.5, this.distance() * 0.02));
    if (Math.abs(this.camera.near - near) < near * 0.1) return;
    this.camera.near = near;
    this.camera.updateProjectionMatrix();
  }

  private follow({ x, y, z }: Vector3): void {
    const at = new THREE.Vector3(x, y, z);
    if (!this.isFollowing) {
      this.isFollowing = true;
      const shift = at.clone().sub(this.controls.target);
      this.controls.target.add(shift);
      this.camera.position.add(shift);
      if (this.distance() > 15) {
        const offset = this.camera.position.clone().sub(at).setLength(6);
        this.camera.position.copy(at).add(offset);
      }
      this.followed.copy(at);
    }
    const moved = at.clone().sub(this.followed);
    this.followed.copy(at);
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    this.camera.lookAt(this.controls.target);
  }

  /** Sensors look along x, with z up. */
  private lookThrough({ position, orientation }: Pose): void {
    const forward = rotate(orientation, FORWARD);
    const up = rotate(orientation, UP);
    this.camera.position.set(position.x, position.y, position.z);
    this.camera.up.set(up.x, up.y, up.z);
    this.camera.lookAt(position.x + forward.x, position.y + forward.y, position.z + forward.z);
  }

  private leaveSensor(): void {
    const forward = new THREE.Vector3();
    this.camera.getWorldDirection(forward);
    this.camera.up.set(0, 0, 1);
    this.controls.target.copy(this.camera.position).addScaledVector(forward, 3);
    this.camera.position.addScaledVector(forward, -2).add(new THREE.Vector3(0, 0, 1));
    this.controls.update();
  }

  /** Arrow keys turn the camera, plus and minus change its distance. */
  private turnByKey(event: KeyboardEvent): void {
    if (!this.controls.enabled || event.defaultPrevented) return;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const sphere = new THREE.Spherical().setFromCartesianCoords(offset.y, offset.z, offset.x);
    const turn = 0.08;
    if (event.key === "ArrowLeft") sphere.theta -= turn;
    else if (event.key === "ArrowRight") sphere.theta += turn;
    else if (event.key === "ArrowUp") sphere.phi -= turn;
    else if (event.key === "ArrowDown") sphere.phi += turn;
    else if (event.key === "+") sphere.radius *= 0.9;
    else if (event.key === "-") sphere.radius /= 0.9;
    else return;
    event.preventDefault();
    this.isTouched = true;
    sphere.makeSafe();
    const turned = new THREE.Vector3().setFromSpherical(sphere);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(turned.z, turned.x, turned.y));
    this.controls.update();
  }
}

/** The ball around a box; never so small that the camera would be inside of things. */
function ball(box: THREE.Box3): { centre: THREE.Vector3; radius: number } {
  const radius = Math.max(0.25, box.getSize(new THREE.Vector3()).length() / 2);
  return { centre: box.getCenter(new THREE.Vector3()), radius };
}

function offset(distance: number, azimuth: number, elevation: number): THREE.Vector3 {
  const flat = Math.cos(elevation);
  return new THREE.Vector3(
    flat * Math.cos(azimuth),
    flat * Math.sin(azimuth),
    Math.sin(elevation),
  ).multiplyScalar(distance);
}
