// Settings that this browser keeps.

import { Signal } from "./signal.ts";

/** A setting by its key; changes are kept. */
export function setting<T>(key: string, initial: T): Signal<T> {
  return kept(() => localStorage, key, initial);
}

/** A value that this tab keeps, also if the page is loaded again. */
export function tabSetting<T>(key: string, initial: T): Signal<T> {
  return kept(() => sessionStorage, key, initial);
}

/** A browser may refuse access to its storage. */
function kept<T>(storage: () => Storage, key: string, initial: T): Signal<T> {
  const name = `bridgehead.${key}`;
  const signal = new Signal<T>(read(storage, name, initial));
  signal.listen((value) => {
    try {
      storage().setItem(name, JSON.stringify(value));
    } catch {
      // Without storage, the setting lasts until the tab is closed.
    }
  });
  return signal;
}

function read<T>(storage: () => Storage, name: string, initial: T): T {
  try {
    const text = storage().getItem(name);
    return text === null ? initial : (JSON.parse(text) as T);
  } catch {
    return initial;
  }
}

export type Theme = "system" | "light" | "dark";

/** Returns the theme after a click: the first one changes what is seen, and the third one follows the system again. */
export function nextTheme(now: Theme, isSystemDark: boolean): Theme {
  const [same, other]: Theme[] = isSystemDark ? ["dark", "light"] : ["light", "dark"];
  if (now === "system") return other;
  return now === other ? same : "system";
}

function isSystemDark(): boolean {
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Changes to the theme after a click. */
export function turnTheme(now: Theme): Theme {
  return nextTheme(now, isSystemDark());
}

/** Applies a theme; `system` follows the browser. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme === "system" ? (isSystemDark() ? "dark" : "light") : theme;
}
