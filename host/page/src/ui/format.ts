// Numbers as text, with units.

/** Seconds with milliseconds: `12.340`. */
export function seconds(value: number, digits = 3): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "–";
}

/** Simulated time: `1:02:03.450`, or `3.450 s` below a minute. */
export function simulatedTime(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const minutes = Math.floor(value / 60);
  if (minutes === 0) return `${value.toFixed(3)} s`;
  const rest = (value - minutes * 60).toFixed(3).padStart(6, "0");
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** A whole number with thin spaces between thousands. */
export function count(value: number): string {
  return Number.isFinite(value)
    ? Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, "\u202f")
    : "–";
}

export function rate(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value < 0.05) return "0";
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let rest = value;
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? rest.toFixed(0) : rest.toFixed(rest < 10 ? 2 : 1)} ${units[unit]}`;
}

/** A number of a message: short, but not rounded to nothing. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toString();
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(4);
  return value.toFixed(size < 1 ? 5 : size < 100 ? 4 : 2);
}

/** A length or speed with a fixed number of digits, so that columns align. */
export function fixed(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return number(value);
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

/** Milliseconds. */
export function milliseconds(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return value < 10 ? value.toFixed(3) : value < 100 ? value.toFixed(2) : value.toFixed(1);
}

/** A real-time factor: `1.00×`, `unlimited`. */
export function factor(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return `${value < 100 ? value.toFixed(2) : value.toFixed(0)}×`;
}
