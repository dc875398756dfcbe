// Keeps a list of elements equal to a list of values: elements of values that stay are updated, not replaced, so that
// focus, selection and input survive.

export interface Row<T> {
  readonly element: Element;
  update(value: T): void;
}

export class Rows<T> {
  private rows = new Map<string, Row<T>>();

  constructor(
    private readonly parent: Element,
    private readonly keyOf: (value: T) => string,
    private readonly create: (value: T) => Row<T>,
  ) {}

  set(values: readonly T[]): void {
    const next = new Map<string, Row<T>>();
    let before = this.parent.firstElementChild;
    for (const value of values) {
      const key = this.keyOf(value);
      if (next.has(key)) continue;
      const row = this.rows.get(key) ?? this.create(value);
      row.update(value);
      next.set(key, row);
      if (row.element === before) before = before.nextElementSibling;
      else this.parent.insertBefore(row.element, before);
    }
    for (const [key, row] of this.rows) if (!next.has(key)) row.element.remove();
    this.rows = next;
  }

  get(key: string): Row<T> | undefined {
    return this.rows.get(key);
  }
}
