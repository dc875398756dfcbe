// What went wrong, and what was done: shown for a while, and kept for the list of errors.

import { ApiError, codeIn, withoutCode } from "../api/http.ts";
import { Signal } from "./signal.ts";

export interface Notice {
  id: number;
  level: "error" | "info";
  text: string;
  code: string;
  /** Requests that the state allows. */
  allowed: readonly string[];
  at: Date;
  /** It is shown at the field that it is about. */
  isAtField: boolean;
}

const KEPT = 200;

export class Notices {
  readonly all = new Signal<readonly Notice[]>([]);
  private last = 0;

  info(text: string): void {
    this.add("info", text, "", []);
  }

  /** Adds an error; the same text several times within a second counts once. */
  error(text: string, code = codeIn(text), allowed: readonly string[] = [], isAtField = false): Notice {
    const latest = this.all.get()[0];
    const isSame = latest?.text === withoutCode(text) && latest.code === code;
    if (isSame && Date.now() - latest.at.getTime() < 1000) return latest;
    return this.add("error", withoutCode(text), code, allowed, isAtField);
  }

  /** Runs a request; its failure is shown, by `atField` if it is given. Returns undefined then. */
  async run<T>(
    doing: string,
    request: () => Promise<T>,
    atField?: (failure: Notice) => void,
  ): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      // A message with a code says what failed.
      const isWhole = error instanceof ApiError && error.code !== "";
      const text = isWhole
        ? capital(error.message)
        : `${doing}: ${error instanceof Error ? error.message : String(error)}`;
      const [code, allowed] = isWhole ? [error.code, error.allowed] : [codeIn(text), []];
      const notice = this.error(text, code, allowed, atField !== undefined);
      atField?.(notice);
      return undefined;
    }
  }

  private add(
    level: Notice["level"],
    text: string,
    code: string,
    allowed: readonly string[],
    isAtField = false,
  ): Notice {
    this.last += 1;
    const notice: Notice = { id: this.last, level, text, code, allowed, at: new Date(), isAtField };
    this.all.update((all) => [notice, ...all].slice(0, KEPT));
    return notice;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
