import { isAlias, parseDocument, type ScalarTag, visit } from 'yaml';

/** The input: see `parseYaml`. */
export interface YamlTask {
  readonly text: string;
  readonly typed: boolean;
}

/** Maximum number of aliases in a document: gems of old versions of RubyGems have one for each dependency. */
const MAX_ALIASES = 500;
/** How often one value may be repeated, including nested repetitions. */
const MAX_REPETITION = 10;

/** A text in Base64, as other readers of YAML take it. */
const BINARY: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve: (text, onError) => {
    if (!/^[A-Za-z0-9+/]*=*$/.test(text.replaceAll(/\s/g, ''))) onError('no Base64');
    return Buffer.from(text, 'base64').toString('utf8');
  },
};

/** Reads a mapping; undefined for an invalid one. Some tens of kilobytes take a tenth of a second. */
export function run({ text, typed }: YamlTask): Record<string, unknown> | undefined {
  try {
    const schema = typed ? 'core' : 'failsafe';
    const parsed = parseDocument(text, { schema, customTags: [BINARY], merge: false, logLevel: 'silent' });
    if (parsed.errors.length > 0) return undefined;
    let aliases = 0;
    visit(parsed, { Node: (_, node) => (isAlias(node) && ++aliases > MAX_ALIASES ? visit.BREAK : undefined) });
    if (aliases > MAX_ALIASES) return undefined;
    const value: unknown = parsed.toJS({ maxAliasCount: MAX_REPETITION });
    // A value that contains itself cannot be stored: this throws.
    if (aliases > 0) JSON.stringify(value);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Nested too deeply, or repeated too often.
    return undefined;
  }
}
