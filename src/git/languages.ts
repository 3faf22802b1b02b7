import { type AttributeLookup, type AttributeValue, readAttributes } from './attributes.ts';
import { readCommit } from './commits.ts';
import { isGenerated } from './generated-files.ts';
import { detectLanguage, languagesByExtension } from './language-detection.ts';
import { linguistData } from './linguist-data.ts';
import type { GitPool } from './objects.ts';
import type { GitRepository } from './repository.ts';
import { readTreeRecursiveSized, type SizedEntry } from './tree-listing.ts';

/** How much of a repository is written in a language. */
export interface LanguageSize {
  readonly language: string;
  readonly bytes: number;
}

/** Larger files are classed by their names alone. */
const MAX_READ = 1024 * 1024;

/** So much of a file is looked at. */
const MAX_LOOK = 16 * 1024;

/** Files that are read at the same time. */
const BATCH = 32;

/** Languages that hold settings and data more often than programs. */
const CONFIGURATION = new Set(['XML', 'JSON', 'TOML', 'YAML', 'MiniYAML', 'INI', 'SQL']);

/** Names that Linguist takes for foreign, but that are the repository's own. */
const OWN = /^(?:\.github|\.gitea)\/|(?:^|\/)\.git(?:ignore|attributes|modules)$/;

/**
 * The languages of a commit's files by bytes, the most used first, counted as GitHub counts: programming and markup languages
 * only, without what is foreign, generated or documentation, and as `.gitattributes` says (`linguist-language`,
 * `linguist-vendored`, `linguist-generated`, `linguist-documentation`, `linguist-detectable`, `gitlab-language`). A repository
 * with nothing else shows its first other language. What a file is, is kept by its id, so that after a push only changed files
 * are looked at.
 * @returns none if there is no such commit
 */
export async function countLanguages(
  repository: GitRepository,
  pool: GitPool,
  commit: string,
  signal?: AbortSignal,
): Promise<LanguageSize[]> {
  const found = await readCommit(repository, pool, commit);
  const listing = found && (await readTreeRecursiveSized(repository, pool, found.tree));
  if (!found || !listing) return [];
  const attributes = await readAttributes(repository, pool, found.tree);
  const files = listing.entries.filter(({ type, size }) => type === 'blob' && size !== undefined && size > 0);
  const count = new Count();
  for (let at = 0; at < files.length; at += BATCH) {
    signal?.throwIfAborted();
    const batch = files.slice(at, at + BATCH);
    const classed = await Promise.all(batch.map((file) => classFile(repository, pool, file, attributes)));
    batch.forEach((file, i) => {
      const language = classed[i];
      if (language) count.add(language, file.size ?? 0);
    });
  }
  return count.sizes();
}

/** A file's language, and whether it is counted whatever its type. */
interface Classed {
  readonly name: string;
  readonly always: boolean;
}

async function classFile(
  repository: GitRepository,
  pool: GitPool,
  file: SizedEntry,
  attributes: AttributeLookup,
): Promise<Classed | undefined> {
  const values = attributes(file.path);
  const vendored = asBoolean(values.get('linguist-vendored'));
  const generated = asBoolean(values.get('linguist-generated'));
  const documentation = asBoolean(values.get('linguist-documentation'));
  const detectable = asBoolean(values.get('linguist-detectable'));
  if (vendored || generated || documentation || detectable === false) return undefined;
  const named = asText(values.get('linguist-language')) ?? asText(values.get('gitlab-language'))?.replace(/\?.*$/, '');
  if (named) return { name: groupOf(linguistData().byAlias.get(named.toLowerCase()) ?? named), always: true };
  if (vendored === undefined && linguistData().vendored.test(file.path) && !OWN.test(file.path)) return undefined;
  if (file.name.startsWith('.')) return undefined;
  if (documentation === undefined && linguistData().documentation.test(file.path)) return undefined;
  if (detectable === undefined && CONFIGURATION.has(languagesByExtension(file.path)[0] ?? '')) return undefined;
  const known = await classContent(repository, pool, file);
  if (known.language === undefined || (generated === undefined && known.generated)) return undefined;
  return { name: groupOf(known.language), always: detectable === true };
}

function classContent(
  repository: GitRepository,
  pool: GitPool,
  file: SizedEntry,
): Promise<{ language: string | undefined; generated: boolean }> {
  const compute = async () => {
    const blob = (file.size ?? 0) <= MAX_READ ? await pool.read(repository, file.oid, { maxSize: MAX_READ }) : undefined;
    const content = blob?.data.subarray(0, MAX_LOOK) ?? Buffer.alloc(0);
    return { language: detectLanguage(file.path, content), generated: isGenerated(file.path, content) };
  };
  return pool.cache.remember(repository, `language ${file.oid} ${file.path}`, () => 60, compute);
}

class Count {
  readonly #counted = new Map<string, number>();
  #other: { name: string; bytes: number } | undefined;

  add({ name, always }: Classed, bytes: number): void {
    const type = linguistData().languages.get(name)?.type;
    if (always || type === 'programming' || type === 'markup') this.#counted.set(name, (this.#counted.get(name) ?? 0) + bytes);
    else if (!this.#other || this.#other.name === name) this.#other = { name, bytes: (this.#other?.bytes ?? 0) + bytes };
  }

  sizes(): LanguageSize[] {
    if (this.#counted.size === 0 && this.#other) return [{ language: this.#other.name, bytes: this.#other.bytes }];
    return [...this.#counted].map(([language, bytes]) => ({ language, bytes })).sort((a, b) => b.bytes - a.bytes);
  }
}

/** TSX counts as TypeScript, Alpine Abuild as Shell and so on. */
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
