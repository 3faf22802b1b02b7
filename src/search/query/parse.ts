import { type Condition, type Query, QueryError, type SearchMode, type Term } from './query.ts';

/*
 * The language of searches: words, "exact phrases", /regular expressions/, and qualifiers such as `path:src/*.ts`, `-language:css`,
 * `repo:owner/name`, `user:name`, `org:name` and `case:yes`. All words have to be in a file, in any order.
 */

/** Length limit of a search in characters, and maximum numbers of its words and expressions, and of its qualifiers. */
export const MAX_QUERY_LENGTH = 1000;
const MAX_TERMS = 10;
const MAX_TERM_LENGTH = 256;
const MAX_CONDITIONS = 20;

/** One part of a search: a qualifier, or a quoted text, an expression or a word. */
const PART =
  /(?<not>-?)(?<name>path|language|lang|repo|user|org|case):(?:"(?<quotedValue>(?:[^"\\]|\\.)*)"|(?<value>[^\s"]\S*))(?=\s|$)|"(?<phrase>(?:[^"\\]|\\.)*)"(?=\s|$)|\/(?<expression>(?:[^/\\]|\\.)+)\/(?=\s|$)|(?<word>\S+)/gsy;

/** Parameters of a search besides its text. */
export interface QueryOptions {
  readonly mode?: SearchMode | undefined;
  readonly repositories?: readonly string[];
  readonly owner?: string | undefined;
  readonly language?: string | undefined;
  readonly path?: string | undefined;
}

type Draft = { -readonly [K in keyof Query]: Query[K] extends readonly (infer T)[] ? T[] : Query[K] };

/** @throws QueryError */
export function parseQuery(text: string, options: QueryOptions = {}): Query {
  const { mode = 'words', repositories = [], owner, language, path } = options;
  if (text.length > MAX_QUERY_LENGTH) throw new QueryError(`it is longer than ${MAX_QUERY_LENGTH} characters`);
  const given = text.trim();
  const draft: Draft = { terms: [], isCaseSensitive: false, paths: [], languages: [], repositories: [], owners: [] };
  if (mode === 'exact' && given !== '') draft.terms.push({ kind: 'text', text: given });
  else if (mode === 'regexp' && given !== '') draft.terms.push({ kind: 'expression', source: given });
  else readParts(given, draft);
  for (const name of repositories) draft.repositories.push(name.toLowerCase());
  if (owner) draft.owners.push(owner.toLowerCase());
  if (language) draft.languages.push({ value: language.toLowerCase(), isNot: false });
  if (path) draft.paths.push({ value: path.toLowerCase(), isNot: false });
  refuseTooMuch(draft);
  return draft;
}

function readParts(text: string, draft: Draft): void {
  for (let at = 0; at < text.length; ) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    PART.lastIndex = at;
    const { groups = {} } = PART.exec(text) ?? {};
    if (PART.lastIndex === 0) return;
    at = PART.lastIndex;
    const value = groups.value ?? unescaped(groups.quotedValue);
    if (groups.name !== undefined && value) qualify(draft, groups.name, { value: value.toLowerCase(), isNot: groups.not === '-' });
    else draft.terms.push(...termOf(groups));
  }
}

function termOf({ phrase, expression, word }: Record<string, string | undefined>): Term[] {
  if (expression !== undefined) return [{ kind: 'expression', source: expression.replaceAll('\\/', '/') }];
  const text = word ?? unescaped(phrase);
  return text ? [{ kind: 'text', text }] : [];
}

/** Within quotes, quotes and backslashes have a backslash before them. */
function unescaped(quoted: string | undefined): string | undefined {
  return quoted?.replace(/\\(["\\])/g, '$1');
}

function qualify(draft: Draft, name: string, condition: Condition): void {
  const { value, isNot } = condition;
  if (name === 'path') draft.paths.push(condition);
  else if (name === 'language' || name === 'lang') draft.languages.push(condition);
  else if (name === 'case') draft.isCaseSensitive = value === 'yes';
  else if (isNot) throw new QueryError(`-${name}: is not known; only path: and language: can be excluded`);
  else (name === 'repo' ? draft.repositories : draft.owners).push(value);
}

function refuseTooMuch({ terms, paths, languages, repositories, owners }: Draft): void {
  if (terms.length > MAX_TERMS) throw new QueryError(`it has more than ${MAX_TERMS} words`);
  const conditions = paths.length + languages.length + repositories.length + owners.length;
  if (conditions > MAX_CONDITIONS) throw new QueryError(`it has more than ${MAX_CONDITIONS} qualifiers`);
  for (const term of terms) {
    const { length } = term.kind === 'text' ? term.text : term.source;
    if (length > MAX_TERM_LENGTH) throw new QueryError(`it has a word of more than ${MAX_TERM_LENGTH} characters`);
    if (term.kind === 'text' && /[\r\n]/.test(term.text)) throw new QueryError('a phrase is within one line');
  }
}
