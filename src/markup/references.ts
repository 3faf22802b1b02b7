import type { Token } from 'markdown-it';
import type { MarkupSettings } from './context.ts';
import { RENDER_DEADLINE, RenderLimitError, withDeadline } from './deadline.ts';
import { markdownTokens } from './markdown/markdown.ts';
import { Keywords, type ReferenceAction } from './text/keywords.ts';
import { findMention, findNumericReference } from './text/patterns.ts';

/** A reference to an issue or pull request that a text makes. */
export interface FoundReference {
  /** Owner and name in lower case, or both empty for the repository that the text belongs to. */
  owner: string;
  name: string;
  index: number;
  isPull: boolean;
  /** What the word before it does to the issue. */
  action: ReferenceAction | undefined;
  /** Time spent that the text logs for it, as written: `1h30m`. */
  timeLog: string | undefined;
}

/** Maximum number of mentions, and of references, that are found in a text. */
const MAX_FOUND = 1000;

/** What a text names; nothing in it is checked to exist. */
export interface FoundNames {
  /** Names of users, or of teams as `org/team`, without `@`, each once. */
  mentions: string[];
  references: FoundReference[];
}

/** Finds the mentions and references of a Markdown text; what stands in code is none. A text that cannot be read in time names nothing. */
export function findInMarkdown(markdown: string, rootUrl: string, settings?: MarkupSettings, patience?: number): FoundNames {
  return find(markdown.length, patience, () => {
    const plain = new PlainText(rootUrl, new Keywords(settings));
    for (const token of markdownTokens(markdown, settings)) plain.add(token);
    const found = scan(shortenAddresses(plain.text, rootUrl, PLACE_IN_PAGE), settings);
    return { mentions: found.mentions, references: logTimes(plain.text, [...found.references, ...plain.references]) };
  });
}

/** Finds the mentions and references of a plain text, such as a commit message. */
export function findInText(text: string, rootUrl: string, settings?: MarkupSettings, patience?: number): FoundNames {
  return find(text.length, patience, () => {
    const found = scan(shortenAddresses(text, rootUrl), settings);
    return { mentions: found.mentions, references: logTimes(text, found.references) };
  });
}

function find(length: number, patience: number | undefined, work: () => FoundNames): FoundNames {
  try {
    return withDeadline(length, patience ?? RENDER_DEADLINE, work);
  } catch (error) {
    if (error instanceof RenderLimitError && patience === undefined) return { mentions: [], references: [] };
    throw error;
  }
}

/** A reference with the place at which it ends in the text, for the time logged after it. */
interface Placed extends FoundReference {
  end: number;
}

function scan(text: string, settings: MarkupSettings | undefined): { mentions: string[]; references: Placed[] } {
  const keywords = new Keywords(settings);
  const references: Placed[] = [];
  const mentions = new Set<string>();
  let from = 0;
  for (let found = findNumericReference(text, false); found; found = findNumericReference(text.slice(from), false)) {
    if (references.length >= MAX_FOUND) break;
    const action = keywords.before(text, from + found.start)?.action;
    const { owner, name, isPull } = found;
    references.push({ owner, name, index: Number(found.issue), isPull, action, timeLog: undefined, end: from + found.end });
    from += found.end;
  }
  from = 0;
  for (let found = findMention(text); found; found = findMention(text.slice(from))) {
    if (mentions.size >= MAX_FOUND) break;
    mentions.add(text.slice(from + found.start + 1, from + found.end));
    from += found.end;
  }
  return { mentions: [...mentions], references };
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a link may say of the place in a page, such as a comment. */
const PLACE_IN_PAGE = String.raw`(?:[?#][^\s<]{0,200}?)?`;

/**
 * Addresses of issues of this instance as `owner/name#1`.
 * @param rest pattern of what may follow the number, and is dropped
 */
function shortenAddresses(text: string, rootUrl: string, rest = ''): string {
  if (!text.includes(rootUrl)) return text;
  const address = new RegExp(
    String.raw`(?<=\s|^|\(|\[)${escapePattern(rootUrl)}([\w.-]+/[\w.-]+)/(issues|pulls)/(\d+)${rest}(?=\s|$|\)|\]|[:;,.?!](?:\s|$))`,
    'g',
  );
  return text.replace(
    address,
    (_whole, repository: string, kind: string, index: string) => `${repository}${kind === 'pulls' ? '!' : '#'}${index}`,
  );
}

const TIME = /(?:\s|^|\(|\[)@((?:\d+(?:[.,]\d+)?[wdmh])+)(?=\s|$|\)|\]|[:;,.?!](?:\s|$))/g;

/** Gives each time that is logged to the last reference before it, or to the first of all. */
function logTimes(text: string, references: Placed[]): FoundReference[] {
  if (references.length > 0) {
    for (const time of text.matchAll(TIME)) {
      const reference = references.findLast(({ end }) => end >= 0 && end < time.index + 1) ?? references[0];
      if (reference) reference.timeLog ??= time[1];
    }
  }
  return references.map(({ end: _end, ...reference }) => reference);
}

/** The text of Markdown without code, each block and break on a line of its own, and the references its links make. */
class PlainText {
  text = '';
  readonly references: Placed[] = [];
  readonly #root: URL;
  readonly #keywords: Keywords;

  constructor(rootUrl: string, keywords: Keywords) {
    this.#root = new URL(rootUrl);
    this.#keywords = keywords;
  }

  add(token: Token): void {
    if (token.type !== 'inline') return;
    this.text += '\n';
    let inLink = 0;
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') {
        if (inLink++ === 0) this.#link(String(child.attrGet('href') ?? ''));
      } else if (child.type === 'link_close') inLink--;
      else if (inLink === 0) this.text += child.type === 'text' ? child.content : '\n';
    }
  }

  /** A link to an issue or pull request here is a reference, and a word before it may close it. */
  #link(href: string): void {
    if (this.references.length >= MAX_FOUND) return;
    let url: URL;
    try {
      url = new URL(href, this.#root);
    } catch {
      return;
    }
    const path = url.pathname.startsWith(this.#root.pathname) ? url.pathname.slice(this.#root.pathname.length) : '';
    const match = /^([\w.-]+)\/([\w.-]+)\/(issues|pulls)\/(\d{1,15})$/.exec(path);
    if (!match || url.host !== this.#root.host) return;
    const [, owner = '', name = '', kind, index] = match;
    const action = this.#keywords.before(this.text, this.text.length)?.action;
    this.references.push({
      owner: owner.toLowerCase(),
      name: name.toLowerCase(),
      index: Number(index),
      isPull: kind === 'pulls',
      action,
      timeLog: undefined,
      end: -1,
    });
  }
}
