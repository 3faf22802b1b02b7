const endings: (() => unknown)[] = [];

/** Registers what ends something after all tests of the file. */
export function addEnding(end: () => unknown): void {
  endings.push(end);
}

/** Ends everything that has been registered, what began last first. */
export async function endAll(): Promise<void> {
  for (let end = endings.pop(); end; end = endings.pop()) await end();
}
