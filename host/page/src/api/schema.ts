// Message types as the host describes them in its OpenAPI document; a type that it does not describe is taken from the
// latest message.

import type { Http } from "./http.ts";

/** A part of a message. */
export type Field =
  | { kind: "number"; isWhole: boolean; minimum?: number; maximum?: number; about: string }
  | { kind: "boolean"; about: string }
  | { kind: "text"; about: string }
  | { kind: "list"; of: Field; about: string }
  | { kind: "message"; members: Record<string, Field>; about: string };

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

const DEEPEST = 12;

export class Types {
  private schemas: Record<string, JsonSchema> | null = null;

  constructor(private readonly http: Http) {}

  /** Returns a type by its ROS name; undefined if the host does not describe it. */
  async find(rosName: string): Promise<Field | undefined> {
    const schemas = await this.load();
    const schema = Object.values(schemas).find((candidate) => candidate.title === rosName);
    return schema && fieldOf(schema, schemas, 0);
  }

  private async load(): Promise<Record<string, JsonSchema>> {
    if (!this.schemas) {
      const document = (await this.http.json("/openapi.json")) as {
        components: { schemas: Record<string, JsonSchema> };
      };
      this.schemas = document.components.schemas;
    }
    return this.schemas;
  }

  /** The host may be another one. */
  forget(): void {
    this.schemas = null;
  }
}

function fieldOf(given: JsonSchema, all: Record<string, JsonSchema>, depth: number): Field {
  const target = given.$ref ? (all[given.$ref.split("/").pop() ?? ""] ?? {}) : given;
  const schema = target.oneOf?.[0] ?? target.anyOf?.[0] ?? target;
  const about = given.description ?? schema.description ?? "";
  const type = typeOf(schema);
  if (type === "boolean") return { kind: "boolean", about };
  if (type === "integer" || type === "number") {
    const { minimum, maximum } = schema;
    return { kind: "number", isWhole: type === "integer", minimum, maximum, about };
  }
  if (type === "array" && schema.items)
    return { kind: "list", of: fieldOf(schema.items, all, depth + 1), about };
  if (schema.properties && depth < DEEPEST) {
    const members: Record<string, Field> = {};
    for (const [name, member] of Object.entries(schema.properties))
      members[name] = fieldOf(member, all, depth + 1);
    return { kind: "message", members, about };
  }
  return { kind: "text", about };
}

function typeOf(schema: JsonSchema): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? ""];
  return ["number", "integer", "boolean", "array"].find((name) => types.includes(name)) ?? types[0];
}

/** Returns the type of a value of a message; not-a-number and infinity are texts in JSON. */
export function fieldOfValue(value: unknown): Field {
  if (typeof value === "number" || isSpecialNumber(value))
    return { kind: "number", isWhole: false, about: "" };
  if (typeof value === "boolean") return { kind: "boolean", about: "" };
  if (Array.isArray(value)) return { kind: "list", of: fieldOfValue(value[0] ?? 0), about: "" };
  if (value && typeof value === "object") {
    const members: Record<string, Field> = {};
    for (const [name, member] of Object.entries(value)) members[name] = fieldOfValue(member);
    return { kind: "message", members, about: "" };
  }
  return { kind: "text", about: "" };
}

/** Returns true for the texts that stand for numbers without JSON form. */
export function isSpecialNumber(value: unknown): boolean {
  return value === "NaN" || value === "Infinity" || value === "-Infinity";
}

/** Returns true for the members of a quaternion. */
function isQuaternion(members: Record<string, Field>): boolean {
  return Object.keys(members).sort().join() === "w,x,y,z";
}

/** Returns the value of a field whose members are absent; a quaternion then turns nothing, as one of zeros is invalid. */
export function emptyValue(field: Field): unknown {
  switch (field.kind) {
    case "number":
      return 0;
    case "boolean":
      return false;
    case "text":
      return "";
    case "list":
      return [];
    case "message":
      return Object.fromEntries(
        Object.entries(field.members).map(([name, member]) => [
          name,
          name === "w" && isQuaternion(field.members) ? 1 : emptyValue(member),
        ]),
      );
  }
}
