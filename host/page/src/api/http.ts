// Calls of services over HTTP.

import { Signal } from "../state/signal.ts";
import type { Answer, Goal } from "./types.ts";

/** A call that did not succeed: refused, denied or not sent. */
export class ApiError extends Error {
  constructor(
    readonly service: string,
    message: string,
    /** HTTP status; 0 if no answer came. */
    readonly status: number,
    readonly code: string,
    readonly allowed: readonly string[] = [],
  ) {
    super(message);
  }
}

const RESULT_OK = 1;
const TOKEN_KEY = "bridgehead.token";

/** Returns the first code in a text, such as `BH-ENT-041`. */
export function codeIn(text: string): string {
  return /BH-[A-Z0-9]+-\d+/.exec(text)?.[0] ?? "";
}

/** Removes the code in front of a text. */
export function withoutCode(text: string): string {
  return text.replace(/^\s*\[BH-[A-Z0-9]+-\d+\]\s*/, "");
}

export class Http {
  /** True if the host refused the token, or requires one. */
  readonly needsToken = new Signal(false);
  private token = sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY) ?? "";

  currentToken(): string {
    return this.token;
  }

  /** Keeps a token for this tab, or for this browser. */
  setToken(token: string, isKept: boolean): void {
    this.token = token;
    sessionStorage.setItem(TOKEN_KEY, token);
    if (isKept) localStorage.setItem(TOKEN_KEY, token);
    else localStorage.removeItem(TOKEN_KEY);
    this.needsToken.set(false);
  }

  /** Sends a request with the token; throws an `ApiError` if no answer comes or the token is refused. */
  async fetch(path: string, options: RequestInit = {}): Promise<Response> {
    const headers = new Headers(options.headers);
    if (this.token !== "") headers.set("Authorization", `Bearer ${this.token}`);
    let response: Response;
    try {
      response = await fetch(path, { ...options, headers });
    } catch {
      throw new ApiError(path, "the host does not answer", 0, "");
    }
    if (response.status === 401) {
      this.needsToken.set(true);
      throw new ApiError(path, "the host requires a token", 401, "BH-WEB-012");
    }
    return response;
  }

  /** Calls a service; throws an `ApiError` unless its result is OK. */
  async call<T extends object>(service: string, request: object = {}): Promise<T & Answer> {
    const response = await this.fetch(`/api/${service}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    const answer = (await readJson(response, service)) as T & Partial<Answer>;
    const result = answer.result;
    if (result && typeof result === "object") {
      if (result.result === RESULT_OK) return answer as T & Answer;
      const text = result.error_message;
      throw new ApiError(service, withoutCode(text), response.status, codeIn(text), answer.allowed);
    }
    if (!response.ok) throw problem(service, response.status, answer);
    return answer as T & Answer;
  }

  /** Sends a goal of `simulate_steps`; returns its id. */
  async sendGoal(steps: number): Promise<string> {
    const goal = await this.call<{ goal_id: string; accepted: boolean }>("simulate_steps", { steps });
    if (!goal.accepted) {
      throw new ApiError("simulate_steps", "another goal is running; cancel it or wait for its end", 200, "");
    }
    return goal.goal_id;
  }

  async cancelGoal(id: string): Promise<void> {
    await this.fetch(`/api/simulate_steps/${id}`, { method: "DELETE" });
  }

  async goal(id: string): Promise<Goal> {
    const response = await this.fetch(`/api/simulate_steps/${id}`);
    return (await readJson(response, "simulate_steps")) as Goal;
  }

  /** Reads a JSON file of the host. */
  async json(path: string): Promise<unknown> {
    const response = await this.fetch(path);
    if (!response.ok)
      throw new ApiError(path, `the host answered with status ${response.status}`, response.status, "");
    return readJson(response, path);
  }
}

async function readJson(response: Response, service: string): Promise<object> {
  try {
    return (await response.json()) as object;
  } catch {
    throw new ApiError(service, `the answer with status ${response.status} is not JSON`, response.status, "");
  }
}

function problem(service: string, status: number, answer: object): ApiError {
  const { code, message } = answer as { code?: string; message?: string };
  return new ApiError(service, message ?? `the host answered with status ${status}`, status, code ?? "");
}

/** Returns the subprotocols that carry a token, because a browser cannot set headers of a WebSocket. */
export function subprotocols(token: string): string[] {
  if (token === "") return ["bridgehead"];
  const bytes = new TextEncoder().encode(token);
  const text = btoa(String.fromCharCode(...bytes));
  const url = text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return ["bridgehead", `token.${url}`];
}
