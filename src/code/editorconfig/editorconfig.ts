import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { findEntry } from '../../git/trees/trees.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { missingObject } from '../revision.ts';
import { matchesGlob } from './glob.ts';
import { GlobLimitError, Work } from './glob-work.ts';

/** The editor settings of a file, as far as they are defined. */
export interface EditorRules {
  charset?: string;
  indent_style?: string;
  indent_size?: string;
  end_of_line?: string;
}

/** A section: a pattern and the rules of the matching files. */
export interface Section {
  readonly pattern: string;
  readonly properties: ReadonlyMap<string, string>;
}

const FILE = '.editorconfig';

/** A larger file is not read. */
const MAX_SIZE = 128 * 1024;

/** Longer patterns are ignored, as the format allows. */
const MAX_PATTERN = 4096;

const LOWER = ['charset', 'indent_style', 'end_of_line'] as const;

/**
 * The rules of the repository's `.editorconfig` for a file.
 * @throws HttpError 404 if it is missing or too large; 422 if its patterns take too long
 */
export async function editorRules(context: Context, repository: Repository, commit: Commit, fileName: string): Promise<EditorRules> {
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const entry = await findEntry(located, pool, commit.tree, FILE);
  const info = entry?.type === 'blob' ? await pool.info(located, entry.oid) : undefined;
  if (!info || info.size > MAX_SIZE) throw notFound([missingObject('', FILE)]);
  const sections = await pool.cache.remember(
    located,
    `editorconfig ${info.oid}`,
    () => 4 * info.size,
    async () => parseEditorConfig((await pool.read(located, info.oid, { maxSize: MAX_SIZE }))?.data.toString('utf8') ?? ''),
  );
  try {
    return rulesFor(sections, fileName);
  } catch (error) {
    if (error instanceof GlobLimitError) throw unprocessable(`${FILE}: ${error.message}`);
    throw error;
  }
}

/** Parses the format of https://spec.editorconfig.org/#file-format; lines before the first section are not rules for files. */
export function parseEditorConfig(text: string): Section[] {
  const sections: Section[] = [];
  let properties: Map<string, string> | undefined;
  for (const given of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
    const line = given.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[(.+)\]$/.exec(line);
    if (header) {
      properties = new Map();
      const pattern = header[1] ?? '';
      if (pattern.length <= MAX_PATTERN) sections.push({ pattern, properties });
      continue;
    }
    const separator = line.search(/[=:]/);
    if (separator < 1) continue;
    const value = line.slice(separator + 1).trimStart();
    properties?.set(line.slice(0, separator).trimEnd().toLowerCase(), value.replace(/\s[#;].*$/s, '').trim());
  }
  return sections;
}

/**
 * The rules for a file: of several matching sections, the last one with a value counts.
 * @throws GlobLimitError when the patterns of all sections together take too long
 */
export function rulesFor(sections: readonly Section[], fileName: string): EditorRules {
  const path = fileName.startsWith('/') ? fileName : `/${fileName}`;
  const rules: EditorRules = {};
  const work = new Work();
  for (const { pattern, properties } of sections) {
    const anchored = pattern.startsWith('/') ? pattern : pattern.includes('/') ? `/${pattern}` : `/**/${pattern}`;
    if (!matchesGlob(anchored, path, work)) continue;
    for (const name of LOWER) {
      const value = properties.get(name)?.toLowerCase();
      if (value) rules[name] = value;
    }
    const size = properties.get('indent_size');
    if (size) rules.indent_size = size;
  }
  return rules;
}
