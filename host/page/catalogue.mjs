// Reads the catalogue of error codes from docs/errors.md.

/** Returns an object that maps each code to its meaning and what to try. */
export function readCatalogue(markdown) {
  const codes = {};
  for (const line of markdown.split("\n")) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    const code = cells[1] ?? "";
    if (/^BH-[A-Z0-9]+-\d+$/.test(code) && cells.length >= 4) {
      codes[code] = { meaning: cells[2], hint: cells[3] ?? "" };
    }
  }
  if (Object.keys(codes).length === 0) throw new Error("docs/errors.md contains no table of codes");
  return codes;
}
