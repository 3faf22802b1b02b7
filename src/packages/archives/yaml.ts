import { parseDocument } from 'yaml';
import { invalid } from '../errors.ts';

/** Bytes of a document: reading it takes some milliseconds of the processor. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads a YAML document, such as a `Chart.yaml` or a `pubspec.yaml`: a mapping, with all scalars as the texts that they are written as, so
 * that a version `1.0` stays one. Aliases are refused.
 * @throws PackageError 400 for what is no YAML, no mapping, or too large
 */
export function parseYaml(document: Buffer | string, maxBytes = MAX_BYTES): Record<string, unknown> {
  const text = typeof document === 'string' ? document : document.toString('utf8');
  if (text.length > maxBytes) throw invalid(`the YAML has more than ${maxBytes} bytes`);
  try {
    const parsed = parseDocument(text, { schema: 'failsafe', merge: false, logLevel: 'silent' });
    const value: unknown = parsed.errors.length > 0 ? undefined : parsed.toJS({ maxAliasCount: 0 });
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Nested too deeply, or with aliases.
  }
  throw invalid('the YAML cannot be read');
}
