import { readdirSync, readFileSync } from 'node:fs';
import { UnknownTemplateError } from './unknown-template.ts';

const FOLDER = new URL('./gitignore/', import.meta.url);
const SUFFIX = '.gitignore';

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .sort();
const known = new Set(names);
const read = new Map<string, string>();

/** The names of all `.gitignore` templates of github.com/github/gitignore, sorted by code point. */
export function listGitignoreTemplates(): readonly string[] {
  return names;
}

/** The text of the template of exactly this name, or undefined. */
export function getGitignoreTemplate(name: string): string | undefined {
  // Only a listed name ever becomes a path.
  if (!known.has(name)) return undefined;
  const kept = read.get(name);
  if (kept !== undefined) return kept;
  const text = readFileSync(new URL(encodeURIComponent(name) + SUFFIX, FOLDER), 'utf8');
  read.set(name, text);
  return text;
}

/**
 * One ignore file of several templates, each under a heading with its name.
 * @param list names separated by commas; each counts once, so the result is never larger than all templates together
 * @throws UnknownTemplateError
 */
export function joinGitignores(list: string): string {
  const wanted = new Set(list.split(',').flatMap((name) => name.trim() || []));
  let joined = '';
  for (const name of wanted) {
    const text = getGitignoreTemplate(name);
    if (text === undefined) throw new UnknownTemplateError('gitignore', name);
    joined += `# ---> ${name}\n${text}\n`;
  }
  return joined;
}
