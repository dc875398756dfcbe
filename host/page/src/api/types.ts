// The messages that the page uses, with the member names of the services.

import type { Pose, Vector3 } from "../math.ts";

export type { Pose, Quaternion, Vector3 } from "../math.ts";

export interface Result {
  result: number;
  error_message: string;
}

export interface Answer {
  result: Result;
  allowed?: string[];
}

export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

/** What a recording contains, from `bridgehead view`. */
export interface RecordingInfo {
  file: string;
  /** Times of the recording, nanoseconds. */
  begin_ns: number;
  end_ns: number;
  messages: number;
  has_scene: boolean;
  problems: string[];
}

/** The subject `recording`: where a recording is. */
export interface RecordingPosition {
  begin_ns: number;
  end_ns: number;
  position_ns: number;
  simulated_ns: number;
  is_playing: boolean;
  speed: number;
}

export interface HostStatus {
  state: string;
  simulation_state: { state: number };
  step: number;
  time_ns: number;
  step_width_ns: number;
  reset_epoch: number;
  target_real_time_factor: number;
  real_time_factor: number;
  achievable_real_time_factor: number;
  world: string;
  outcome: string;
  errors: string[];
  allowed: string[];
}

export interface Accumulator {
  name: string;
  count: number;
  min: number;
  max: number;
  mean: number;
  std_deviation: number;
  p50: number;
  p99: number;
}

export interface PluginInfo {
  label: string;
  plugin: string;
  version: string;
  kind: string;
  state: string;
  failure: string;
  calls: Accumulator;
}

export interface BridgeInfo {
  label: string;
  vehicle: string;
  bridge: string;
  connection: string;
  status: number;
  delivered: number;
  dropped: number;
  missed: number;
  failure: string;
  endpoints: { address: string; purpose: string }[];
  lost: number;
}

export interface TopicInfo {
  topic: string;
  vehicle: string;
  type: string;
  published: number;
  bytes: number;
  delivered: number;
  dropped: number;
  rate: number;
  overflowed: number;
  /** Bridges and subscriptions that receive its messages. Absent in answers of a recording. */
  listeners?: number;
}

export interface TriggerInfo {
  id: number;
  label: string;
  event: string;
  action: string;
  sticky: boolean;
  source: string;
  at: number;
  step: number;
}

export interface ModelDescription {
  name: string;
  vehicle: string;
  namespace: string;
  is_static: boolean;
  is_spawned: boolean;
  pose: Pose;
}

export interface LinkDescription {
  name: string;
  model: string;
  frame_id: string;
  pose: Pose;
  mass: number;
  center_of_mass: Pose;
  ixx: number;
  iyy: number;
  izz: number;
  ixy: number;
  ixz: number;
  iyz: number;
}

export interface JointDescription {
  name: string;
  model: string;
  type: string;
  parent: string;
  child: string;
  pose: Pose;
  axis: Vector3;
  lower: number | string;
  upper: number | string;
  effort: number | string;
  velocity: number | string;
}

export interface ElementDescription {
  kind: string;
  path: string;
  name: string;
  asked: string;
  plugin: string;
  vehicle: string;
  model: string;
  link: string;
  sensor: string;
  frame_id: string;
  pose: Pose;
  update_rate: number;
  xml: string;
  topics: { topic: string; type: string; is_published: boolean }[];
  /** The host itself does its work. */
  is_built_in?: boolean;
}

export interface WorldDescription {
  world: string;
  revision: number;
  models: ModelDescription[];
  links: LinkDescription[];
  joints: JointDescription[];
  elements: ElementDescription[];
}

export interface EntityState {
  header: { stamp: { sec: number; nanosec: number }; frame_id: string };
  pose: Pose;
  twist: { linear: Vector3; angular: Vector3 };
}

export interface Resource {
  uri: string;
  resource_string: string;
}

export interface WorldResource {
  name: string;
  world_resource: Resource;
  description: string;
  tags: string[];
}

export interface Spawnable {
  entity_resource: Resource;
  description: string;
  spawn_bounds: { type: number; points: Vector3[] };
}

export interface Service {
  name: string;
  type: string;
  comment: string;
  reader: boolean;
}

export interface Goal {
  goal_id: string;
  status: string;
  status_code: number;
  completed_steps: number;
  remaining_steps: number;
  result?: { result: number; error_message: string };
}

/** A message of a topic, as the WebSocket sends it. */
export interface TopicMessage {
  type: string;
  sequence: number;
  stamp_ns: number;
  step: number;
  message: Record<string, unknown>;
}
