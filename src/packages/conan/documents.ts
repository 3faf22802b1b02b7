import { invalid } from '../errors.ts';
import { withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of a version, as its recipe says it. */
export interface ConanMetadata {
  readonly author?: string;
  readonly license?: string;
  readonly project_url?: string;
  readonly repository_url?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
}

/** The settings of a built package. */
export interface ConanInfo {
  readonly settings: Readonly<Record<string, string>> | null;
  readonly full_settings: Readonly<Record<string, string>> | null;
  readonly requires: readonly string[] | null;
  readonly full_requires: readonly string[] | null;
  readonly options: Readonly<Record<string, string>> | null;
  readonly full_options: Readonly<Record<string, string>> | null;
  readonly recipe_hash: string;
  readonly environment: Readonly<Record<string, readonly string[]>> | null;
}

/** Reads the attributes of a recipe that are on lines of their own; nothing of it is run. */
export function parseConanfile(text: string): ConanMetadata {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=');
    const name = line.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    if (/^\w+$/.test(name) && !values.has(name)) values.set(name, line.slice(equals + 1).trim());
  }
  const attribute = (name: string) => within(values.get(name) ?? '', `'"(`, `'")`);
  const topics = within(values.get('topics') ?? '', '(', ')');
  return withoutEmpty({
    author: attribute('author'),
    license: attribute('license').replace(/['"]/g, ''),
    project_url: attribute('homepage'),
    repository_url: attribute('url'),
    description: attribute('description'),
    keywords: topics.split(',').flatMap((topic) => within(topic.trim(), `'"`, `'"`) || []),
  });
}

/** The text between the first opening and the last closing character. */
function within(text: string, opening: string, closing: string): string {
  if (text === '' || !opening.includes(text[0] ?? '')) return '';
  let end = text.length - 1;
  while (end > 0 && !closing.includes(text[end] ?? '')) end--;
  return text.slice(1, Math.max(end, 1));
}

/**
 * Reads the sections of a `conaninfo.txt`.
 * @throws PackageError 400
 */
export function parseConaninfo(text: string): ConanInfo {
  const sections = sectionsOf(text);
  const list = (name: string) => (sections.get(name)?.length ? (sections.get(name) ?? null) : null);
  const map = (name: string) => (list(name) ? Object.fromEntries(pairsOf(list(name) ?? [])) : null);
  const environment = pairsOf(list('env') ?? []).map(([name, value]) => [name, isList(value) ? value.split(',') : [value]] as const);
  return {
    settings: map('settings'),
    full_settings: map('full_settings'),
    requires: list('requires'),
    full_requires: list('full_requires'),
    options: map('options'),
    full_options: map('full_options'),
    recipe_hash: list('recipe_hash')?.[0] ?? '',
    environment: list('env') ? Object.fromEntries(environment) : null,
  };
}

function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const whole of text.split('\n')) {
    const line = whole.trim();
    if (isList(line)) {
      lines = [];
      sections.set(line.slice(1, -1), lines);
    } else if (lines && line !== '') lines.push(line);
    else if (line !== '') throw invalid('invalid conaninfo.txt');
  }
  return sections;
}

function pairsOf(lines: readonly string[]): [string, string][] {
  return lines.flatMap((line): [string, string][] => {
    const at = line.indexOf('=');
    return at > 0 && at < line.length - 1 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
  });
}

function isList(text: string): boolean {
  return text.length > 1 && text.startsWith('[') && text.endsWith(']');
}
