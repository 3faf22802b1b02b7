import { type AttributesFile, type AttributeValue, attributeLookup } from '../trees/attributes.ts';
import { isGenerated } from './generated-files.ts';
import { detectLanguage, languagesByExtension } from './language-detection.ts';
import { linguistData } from './linguist-data.ts';

/*
 * The part of language statistics that takes processor time; it runs in a worker, which is ended when it takes too long. All its input is in
 * its payload.
 */

/** A request to the worker. */
export type LanguageRequest =
  | { readonly ask: 'choose'; readonly attributes: readonly AttributesFile[]; readonly paths: readonly string[] }
  | { readonly ask: 'look'; readonly files: readonly { readonly path: string; readonly content: Uint8Array }[] };

/** The decision about a file by its path: not counted, of this language, or to be examined. */
export type Choice =
  | { readonly kind: 'left out' }
  | { readonly kind: 'named'; readonly language: string }
  | { readonly kind: 'look'; readonly always: boolean; readonly evenGenerated: boolean };

/** The decision about a file by its content. */
export interface Look {
  readonly language: string | undefined;
  readonly type: string | undefined;
  readonly generated: boolean;
}

/** Languages that contain settings and data more often than programs. */
const CONFIGURATION = new Set(['XML', 'JSON', 'TOML', 'YAML', 'MiniYAML', 'INI', 'SQL']);

/** Names that Linguist counts as vendored, but that belong to the repository. */
const OWN = /^(?:\.github|\.gitea)\/|(?:^|\/)\.git(?:ignore|attributes|modules)$/;

// Loading the data does not count as time of a task.
linguistData();

const LEFT_OUT: Choice = { kind: 'left out' };

/** Returns one choice for each path, or one look for each file. */
export function run(request: LanguageRequest): (Choice | Look)[] {
  if (request.ask === 'look') return request.files.map(({ path, content }) => lookAt(path, Buffer.from(content)));
  const attributes = attributeLookup(request.attributes);
  return request.paths.map((path) => choose(path, attributes(path)));
}

function choose(path: string, values: ReadonlyMap<string, AttributeValue>): Choice {
  const vendored = asBoolean(values.get('linguist-vendored'));
  const generated = asBoolean(values.get('linguist-generated'));
  const documentation = asBoolean(values.get('linguist-documentation'));
  const detectable = asBoolean(values.get('linguist-detectable'));
  if (vendored || generated || documentation || detectable === false) return LEFT_OUT;
  const named = asText(values.get('linguist-language')) ?? asText(values.get('gitlab-language'))?.replace(/\?.*$/s, '');
  if (named) return { kind: 'named', language: groupOf(linguistData().byAlias.get(named.toLowerCase()) ?? named) };
  if (vendored === undefined && linguistData().vendored.test(path) && !OWN.test(path)) return LEFT_OUT;
  if (path.startsWith('.', path.lastIndexOf('/') + 1)) return LEFT_OUT;
  if (documentation === undefined && linguistData().documentation.test(path)) return LEFT_OUT;
  if (detectable === undefined && CONFIGURATION.has(languagesByExtension(path)[0] ?? '')) return LEFT_OUT;
  return { kind: 'look', always: detectable === true, evenGenerated: generated === false };
}

/** Detects a file's language by its first bytes. */
export function lookAt(path: string, content: Buffer): Look {
  const found = detectLanguage(path, content);
  const language = found === undefined ? undefined : groupOf(found);
  const type = language === undefined ? undefined : linguistData().languages.get(language)?.type;
  return { language, type, generated: isGenerated(path, content) };
}

/** The group of a language: TSX counts as TypeScript, Alpine Abuild as Shell and so on. */
function groupOf(language: string): string {
  return linguistData().languages.get(language)?.group ?? language;
}

function asBoolean(value: AttributeValue | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}

function asText(value: AttributeValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
