import type { Context } from '../../context.ts';
import type { Commit } from '../../git/commits.ts';
import { findEntry } from '../../git/trees.ts';
import { notFound } from '../../http/errors.ts';
import type { Repository } from '../../repositories/find.ts';
import { missingObject } from '../revision.ts';
import { matchesGlob } from './glob.ts';

/** What an editor is to do with a file, as far as it is said. */
export interface EditorRules {
  charset?: string;
  indent_style?: string;
  indent_size?: string;
  end_of_line?: string;
}

/** A part of the file: a pattern and what holds for the files that it means. */
export interface Section {
  readonly pattern: string;
  readonly properties: ReadonlyMap<string, string>;
}

const FILE = '.editorconfig';

/** A larger file is not read. */
const MAX_SIZE = 512 * 1024;

/** Longer patterns are left out, as the format allows. */
const MAX_PATTERN = 4096;

const LOWER = ['charset', 'indent_style', 'end_of_line'] as const;

/**
 * What the repository's `.editorconfig` says of a file.
 * @throws HttpError 404 if there is none, or one that is too large
 */
export async function editorRules(context: Context, repository: Repository, commit: Commit, fileName: string): Promise<EditorRules> {
  const located = context.git.locate(repository);
  const { pool } = context.git;
  const entry = await findEntry(located, pool, commit.tree, FILE);
  const info = entry?.type === 'blob' ? await pool.info(located, entry.oid) : undefined;
  const blob = info && info.size <= MAX_SIZE ? await pool.read(located, info.oid, { maxSize: MAX_SIZE }) : undefined;
  if (!blob) throw notFound([missingObject('', FILE)]);
  return rulesFor(parseEditorConfig(blob.data.toString('utf8')), fileName);
}

/** Reads the format of https://spec.editorconfig.org/#file-format; what is before the first section is no rule for files. */
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
    const [, key, value] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) properties?.set(key.toLowerCase(), (value ?? '').replace(/\s[#;].*$/, '').trim());
  }
  return sections;
}

/** The rules for a file: of several sections that mean it, the last one that says something counts. */
export function rulesFor(sections: readonly Section[], fileName: string): EditorRules {
  const path = fileName.startsWith('/') ? fileName : `/${fileName}`;
  const rules: EditorRules = {};
  for (const { pattern, properties } of sections) {
    const anchored = pattern.startsWith('/') ? pattern : pattern.includes('/') ? `/${pattern}` : `/**/${pattern}`;
    if (!matchesGlob(anchored, path)) continue;
    for (const name of LOWER) {
      const value = properties.get(name)?.toLowerCase();
      if (value) rules[name] = value;
    }
    const size = properties.get('indent_size');
    if (size) rules.indent_size = size;
  }
  return rules;
}
