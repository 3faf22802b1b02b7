import { parseDocument } from 'yaml';

/** What is to be read, and how: see `parseYaml`. */
export interface YamlTask {
  readonly text: string;
  readonly typed: boolean;
}

/** Reads a mapping; undefined for what is none, or cannot be read. Some tens of kilobytes take a tenth of a second. */
export function run({ text, typed }: YamlTask): Record<string, unknown> | undefined {
  try {
    const parsed = parseDocument(text, { schema: typed ? 'core' : 'failsafe', merge: false, logLevel: 'silent' });
    const value: unknown = parsed.errors.length > 0 ? undefined : parsed.toJS({ maxAliasCount: 0 });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Nested too deeply, or with aliases.
    return undefined;
  }
}
