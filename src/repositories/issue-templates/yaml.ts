import { isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import { TemplateError } from './error.ts';
import { isMapping } from './mapping.ts';

/** Maximum length of YAML; a longer text is not a form. */
const MAX_LENGTH = 32 * 1024;

/** How often one value may be repeated by aliases, including nested repetitions: a small file could stand for a huge one. */
const MAX_REPETITION = 20;

/** Nested brackets that no legitimate file has: parsing them takes long. */
const TOO_DEEP = /(?:[[{]\s*){20}/;

/**
 * The mapping of a YAML text, with its keys sorted; empty for an empty text.
 * @throws TemplateError for an invalid text
 */
export function parseYaml(text: string): Record<string, unknown> {
  if (text.length > MAX_LENGTH) throw new TemplateError('yaml: the text is too long');
  if (TOO_DEEP.test(text)) throw new TemplateError('yaml: nested too deeply');
  let value: unknown;
  try {
    // The library compares each key with all others: duplicates are searched here.
    const document = parseDocument(text, { uniqueKeys: false, merge: true });
    const [problem] = document.errors;
    if (problem) throw problem;
    visit(document, { Map: (_key, map) => refuseDoubledKeys(map) });
    value = document.toJS({ maxAliasCount: MAX_REPETITION });
    // This throws for a value that contains itself.
    if (text.includes('*')) JSON.stringify(value);
  } catch (error) {
    throw new TemplateError(`yaml: ${(error as Error).message.split('\n')[0]}`);
  }
  if (value === null || value === undefined) return {};
  if (!isMapping(value)) throw new TemplateError('yaml: not a mapping');
  return value;
}

function refuseDoubledKeys({ items }: YAMLMap): void {
  const keys = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (keys.has(key.value)) throw new Error(`the key ${JSON.stringify(key.value)} is there twice`);
    keys.add(key.value);
  }
}
