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

/** Applies a theme; `system` follows the browser. */
export function applyTheme(theme: Theme): void {
  const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme === "system" ? (isDark ? "dark" : "light") : theme;
}
