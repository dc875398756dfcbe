// Settings that this browser keeps.

import { Signal } from "./signal.ts";

/** A setting by its key; changes are kept. */
export function setting<T>(key: string, initial: T): Signal<T> {
  const name = `bridgehead.${key}`;
  const signal = new Signal<T>(read(name, initial));
  signal.listen((value) => {
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // Without storage, the setting lasts until the tab is closed.
    }
  });
  return signal;
}

function read<T>(name: string, initial: T): T {
  try {
    const text = localStorage.getItem(name);
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
