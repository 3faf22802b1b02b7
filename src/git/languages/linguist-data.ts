import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A language: https://github.com/github-linguist/linguist/blob/main/lib/linguist/languages.yml */
export interface Language {
  readonly type: 'programming' | 'markup' | 'data' | 'prose';
  readonly group?: string;
  readonly aliases?: readonly string[];
  readonly extensions?: readonly string[];
  readonly filenames?: readonly string[];
  readonly interpreters?: readonly string[];
}

/** A rule that distinguishes a language from others with the same file extension. */
export interface HeuristicRule {
  readonly languages: readonly string[];
  readonly matches: (text: string) => boolean;
}

/** The data of GitHub's Linguist, indexed for look-ups. */
export interface LinguistData {
  readonly languages: ReadonlyMap<string, Language>;
  /** Languages by extension (with the dot), file name, interpreter: those that share one, in alphabetical order. */
  readonly byExtension: ReadonlyMap<string, readonly string[]>;
  readonly byFilename: ReadonlyMap<string, readonly string[]>;
  readonly byInterpreter: ReadonlyMap<string, readonly string[]>;
  /** The language by its name or alias, in lower case. */
  readonly byAlias: ReadonlyMap<string, string>;
  readonly heuristics: ReadonlyMap<string, readonly HeuristicRule[]>;
  readonly vendored: RegExp;
  readonly documentation: RegExp;
  readonly generated: RegExp;
}

let loaded: LinguistData | undefined;

/** The data, loaded on first use: that takes a fifth of a second, which a server without language statistics saves. */
export function linguistData(): LinguistData {
  loaded ??= load();
  return loaded;
}

/** Converts a regular expression of Ruby to JavaScript; common syntax stays as it is. */
export function fromRuby(pattern: string): RegExp {
  let source = pattern;
  const extended = /^\(\?([a-z]*)x([a-z]*)\)/.exec(source);
  if (extended) {
    const flags = `${extended[1]}${extended[2]}`;
    source = source.slice(extended[0].length).replace(/\\.|#.*|\s+/g, (part) => (part.startsWith('\\') ? part : ''));
    if (flags !== '') source = `(?${flags})${source}`;
  }
  source = source
    .replace(/\\A/g, '(?<![^])')
    .replace(/\\z/g, '(?![^])')
    .replace(/\\Z/g, '(?=\\n?(?![^]))')
    .replace(/\(\?>/g, '(?:')
    .replace(/((?:^|[^\\])[*+?}])\+/g, '$1');
  return new RegExp(openFlags(source), 'm');
}

/** `(?i)` applies up to the end of its group, which JavaScript writes as a separate group. Ruby's m is JavaScript's s. */
function openFlags(source: string): string {
  const at = /\(\?(-?)([im]+)\)/.exec(source);
  if (!at) return source.replace(/\(\?([im]+):/g, (_, flags: string) => `(?${flags.replace('m', 's')}:`);
  const start = at.index + at[0].length;
  let depth = 0;
  let end = start;
  for (let inClass = false; end < source.length; end++) {
    const char = source.charAt(end);
    if (char === '\\') end++;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth++;
    else if (char === ')' && depth-- === 0) break;
  }
  const flags = `${at[1]}${(at[2] ?? '').replace('m', 's')}`;
  return openFlags(`${source.slice(0, at.index)}(?${flags}:${source.slice(start, end)})${source.slice(end)}`);
}

interface RawRule {
  language?: string | readonly string[];
  pattern?: string | readonly string[];
  negative_pattern?: string | readonly string[];
  named_pattern?: string;
  and?: readonly RawRule[];
}

interface RawHeuristics {
  disambiguations: readonly { extensions: readonly string[]; rules: readonly RawRule[] }[];
  named_patterns: Readonly<Record<string, string | readonly string[]>>;
}

function load(): LinguistData {
  const languages = new Map(Object.entries(readData('languages.yml') as Record<string, Language>));
  const index = (keysOf: (language: Language) => readonly string[] | undefined, lower = false) => {
    const found = new Map<string, string[]>();
    for (const [name, language] of languages) {
      for (const key of keysOf(language) ?? []) {
        const names = found.get(lower ? key.toLowerCase() : key);
        if (!names) found.set(lower ? key.toLowerCase() : key, [name]);
        else if (!names.includes(name)) names.push(name);
      }
    }
    return found;
  };
  const byAlias = new Map<string, string>();
  for (const [name, { aliases = [] }] of languages) for (const alias of aliases) byAlias.set(alias.toLowerCase(), name);
  for (const name of languages.keys()) byAlias.set(name.toLowerCase(), name);
  const anyOf = (patterns: readonly string[], flags = '') => new RegExp(patterns.map((pattern) => `(?:${pattern})`).join('|'), flags);
  return {
    languages,
    byExtension: index(({ extensions }) => extensions, true),
    byFilename: index(({ filenames }) => filenames),
    byInterpreter: index(({ interpreters }) => interpreters),
    byAlias,
    heuristics: readHeuristics(readData('heuristics.yml') as RawHeuristics),
    vendored: anyOf(readData('vendor.yml') as string[]),
    documentation: anyOf(readData('documentation.yml') as string[]),
    generated: anyOf(readData('generated.rb') as string[], 'i'),
  };
}

/** Reads one of Linguist's own files in its original format; see import-linguist.ts. */
function readData(file: string): unknown {
  return parse(readFileSync(new URL(`linguist/${file}`, import.meta.url), 'utf8'));
}

function readHeuristics(raw: RawHeuristics): Map<string, readonly HeuristicRule[]> {
  const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
    Array.isArray(value) ? value : value === undefined ? [] : [value as T];
  const compile = (patterns: string | readonly string[] | undefined) => list(patterns).map(fromRuby);
  const matcher = (rule: RawRule): HeuristicRule['matches'] => {
    const all = (rule.and ?? []).map(matcher);
    const patterns = compile(rule.pattern ?? (rule.named_pattern === undefined ? undefined : raw.named_patterns[rule.named_pattern]));
    const negative = compile(rule.negative_pattern);
    return (text) =>
      all.every((matches) => matches(text)) &&
      (patterns.length === 0 || patterns.some((pattern) => pattern.test(text))) &&
      !negative.some((pattern) => pattern.test(text));
  };
  const found = new Map<string, readonly HeuristicRule[]>();
  for (const { extensions, rules } of raw.disambiguations) {
    const ready = rules.map((rule) => ({ languages: list(rule.language), matches: matcher(rule) }));
    for (const extension of extensions) found.set(extension, ready);
  }
  return found;
}
