// Actions that follow a pointer: faster than a host answers.

/** Returns a function that runs an action once at a time, and afterwards for the newest value. */
export function newestOnly<T>(action: (value: T) => Promise<unknown>): (value: T) => void {
  let waiting: { value: T } | null = null;
  let isBusy = false;
  const next = () => {
    if (isBusy || !waiting) return;
    const { value } = waiting;
    waiting = null;
    isBusy = true;
    void action(value).finally(() => {
      isBusy = false;
      next();
    });
  };
  return (value) => {
    waiting = { value };
    next();
  };
}
