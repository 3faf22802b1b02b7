/** A text of a document that a client sent; empty for what is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The texts of a list, or the one text in place of a list; other values are left out. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

/** An object of a document; an empty one for what is none. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The texts of an object by their keys; other values are left out. */
export function textMapOf(value: unknown): Record<string, string> {
  const texts = Object.entries(objectOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

/** The URL if a browser can open it; empty for others, so that no page links to a script. */
export function webUrlOf(value: unknown): string {
  const text = textOf(value);
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text) ? text : '';
}

/** Without empty values: documents leave them out. */
export function withoutEmpty<T extends Record<string, unknown>>(values: T): Partial<T> {
  const isEmpty = (value: unknown) =>
    value === undefined || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}

/** Whether objects and lists are nested more deeply than this; not even reading such a value is a call for each level. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let at = 0; at <= depth; at++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}
