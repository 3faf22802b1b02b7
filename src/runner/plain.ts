/** A mapping of a YAML file. */
export type Plain = Readonly<Record<string, unknown>>;

/** Whether a value of a YAML file is a mapping. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The mapping under a key; an empty one where there is none. */
export function plainAt(value: unknown, key: string): Plain {
  const found = isPlain(value) ? value[key] : undefined;
  return isPlain(found) ? found : {};
}

/** The scalar under a key as a text; empty where there is none. */
export function textAt(value: unknown, key: string): string {
  return isPlain(value) ? scalarText(value[key]) : '';
}

/** A scalar as a text; empty for null, lists and mappings. */
export function scalarText(value: unknown): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** The list under a key; one alone is a list of one. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isPlain(value) ? value[key] : undefined;
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}
