// The meaning of error codes, from the catalogue that is built with the page.

export interface Meaning {
  meaning: string;
  hint: string;
}

export class Catalogue {
  private codes: Record<string, Meaning> | null = null;

  /** Loads the catalogue; without it, codes have no meaning, which is not an error. */
  async load(): Promise<void> {
    try {
      const response = await fetch("errors.json");
      if (response.ok) this.codes = (await response.json()) as Record<string, Meaning>;
    } catch {
      this.codes = null;
    }
  }

  find(code: string): Meaning | undefined {
    return this.codes?.[code];
  }

  /** Returns what to try after an error; empty if its text says it, or nothing is known. */
  advice(text: string, code: string): string {
    const known = this.find(code);
    return known && !text.includes("try: ") ? `Try: ${known.hint}.` : "";
  }
}
