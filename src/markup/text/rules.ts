import { element, type HtmlElement, type HtmlNode } from '../html/tree.ts';
import { TRUSTED_CLASS } from '../html/trusted.ts';
import { ROOT_LINK } from '../links.ts';
import { escapeSegment, joinPath } from '../url.ts';
import { emojiByName, findEmoji } from './emoji.ts';
import { findCommitId, findCommitReference, findEmail, findMention, type Span } from './patterns.ts';
import type { TextState } from './state.ts';
import { findWebUrl } from './web-url.ts';

/** What a rule found: the stretch of text and the nodes that take its place. */
export interface Replacement extends Span {
  nodes: (HtmlNode | string)[];
}

/** Finds the first thing of its kind in a text that stands in an element called `parent`; undefined when there is none. */
export type TextRule = (text: string, state: TextState, parent: string) => Replacement | undefined;

/** A link that rendering made. */
export function madeLink(href: string, text: string, classes = ''): HtmlElement {
  return element('a', { href, 'data-markdown-generated-content': '', ...(classes && { [TRUSTED_CLASS]: classes }) }, text);
}

/** A link whose text is code: a commit or a comparison. */
export function codeLink(href: string, text: string): HtmlElement {
  return element('a', { href }, element('code', {}, text));
}

/** Commit ids are shown by their first characters. */
export const shortId = (id: string): string => id.slice(0, 10);

/** `@user` and `@org/team`, when there is such a one to be mentioned. */
export const mentions: TextRule = (text, state) => {
  let from = 0;
  for (let found = findMention(text); found; found = findMention(text.slice(from))) {
    const [start, end] = [from + found.start, from + found.end];
    const name = text.slice(start + 1, end);
    const link = mentionLink(name, state);
    if (link) return { start, end, nodes: [madeLink(link, `@${name}`)] };
    from = end;
  }
  return undefined;
};

function mentionLink(name: string, state: TextState): string | undefined {
  const { repository } = state.context;
  if (repository?.teams && name.includes('/')) {
    const [org = '', team = ''] = name.split('/');
    const known = org === repository.owner.toLowerCase() && repository.teams.includes(team.toLowerCase());
    return known ? `${ROOT_LINK}org/${org}/teams/${team}` : undefined;
  }
  return state.mentionable.has(name) ? ROOT_LINK + name : undefined;
}

/** `owner/name@id`; whether there is such a commit is not looked up, as the other repository may be hidden. */
export const commitReferences: TextRule = (text) => {
  const found = findCommitReference(text);
  if (!found) return undefined;
  const { start, end, owner, name, id } = found;
  return { start, end, nodes: [madeLink(`${ROOT_LINK}${owner}/${name}/commit/${id}`, `${owner}/${name}@${shortId(id)}`, 'commit')] };
};

/** Ids of commits of the repository; nothing outside of one. */
export const commitIds: TextRule = (text, state) => {
  const { repository } = state.context;
  if (!repository || state.commits.size === 0) return undefined;
  let from = 0;
  for (let found = findCommitId(text); found; found = findCommitId(text.slice(from))) {
    const [start, end] = [from + found.start, from + found.end];
    const id = text.slice(start, end);
    if (state.commits.has(id)) {
      return { start, end, nodes: [codeLink(`${ROOT_LINK}${repository.owner}/${repository.name}/commit/${id}`, shortId(id))] };
    }
    from = end;
  }
  return undefined;
};

/** Addresses written plainly. */
export const webUrls: TextRule = (text, state) => {
  if (!text.includes(':')) return undefined;
  const found = findWebUrl(text, state.schemes);
  if (!found) return undefined;
  const rest = text.slice(found.end);
  // A text that was cut short ends in dots: the address before them may not be whole.
  if (rest.endsWith('…') || rest.endsWith('...')) return undefined;
  const url = text.slice(found.start, found.end);
  return { ...found, nodes: [madeLink(url, url)] };
};

/** Email addresses, unless a remote like `git@host:path` follows. */
export const emails: TextRule = (text) => {
  const found = findEmail(text);
  if (!found || /[:/]/.test(text[found.end] ?? '')) return undefined;
  const address = text.slice(found.start, found.end);
  return { ...found, nodes: [madeLink(`mailto:${address}`, address)] };
};

/** Emoji characters, labelled for readers who do not see them. */
export const emojis: TextRule = (text) => {
  const found = findEmoji(text);
  return found && { start: found.start, end: found.start + found.emoji.length, nodes: [emojiSpan(found.emoji, found.description)] };
};

/** `:smile:` and the instance's own emoji. */
export const emojiNames: TextRule = (text, state) => {
  const name = /:([-+\w]+):/g;
  for (let match = name.exec(text); match; match = name.exec(text)) {
    const [start, end] = [match.index, match.index + match[0].length];
    // A colon, letter or digit may be part of a longer word; outside of ASCII every character counts as one.
    if (/[:a-zA-Z0-9]|[^\x00-\x7f]/.test(text[end] ?? '')) continue;
    const alias = match[1] ?? '';
    const emoji = emojiByName(alias);
    if (emoji) return { start, end, nodes: [emojiSpan(emoji.emoji, emoji.description)] };
    if (state.context.settings?.customEmoji?.has(alias)) {
      const image = element('img', { alt: `:${alias}:`, src: `${new URL(state.context.rootUrl).pathname}assets/img/emoji/${alias}.png` });
      return { start, end, nodes: [element('span', { [TRUSTED_CLASS]: 'emoji', 'aria-label': alias }, image)] };
    }
  }
  return undefined;
};

function emojiSpan(emoji: string, description: string): HtmlElement {
  return element('span', { [TRUSTED_CLASS]: 'emoji', ...(description && { 'aria-label': description }) }, emoji);
}

const IMAGE = /\.(jpe?g|png|tiff?|webp|gif|bmp|ico|svg)$/;

/** `[[Page]]`, `[[Words|Page]]` and `[[image.png|alt=…|title=…]]`. */
export const wikiLinks: TextRule = (text) => {
  const found = brackets(text);
  if (!found) return undefined;
  const properties = bracketProperties(found.content);
  let link = properties.get('link') || properties.get('name') || '';
  const name = (properties.get('title') || properties.get('name') || link) + found.tail;
  const image = IMAGE.test(link);
  if (!/^[a-z][-+\w]+:/.test(link) && !link.includes('/')) link = escapeSegment(link.replaceAll(' ', image ? '+' : '-'));
  if (!image) return { ...found, nodes: [element('a', { href: link }, name)] };
  const alt = properties.get('alt') || name;
  const title = properties.get('title') || properties.get('alt') || joinPath(name).split('/').at(-1) || name;
  return { ...found, nodes: [element('a', { href: link }, element('img', { src: link, title, alt }))] };
};

function brackets(text: string): (Span & { content: string; tail: string }) | undefined {
  let close = -1;
  for (let start = text.indexOf('[['); start >= 0; start = text.indexOf('[[', start + 1)) {
    if (close < start + 2) close = text.indexOf(']]', start + 2);
    if (close < 0) return undefined;
    const newline = text.indexOf('\n', start);
    if (newline >= 0 && newline < close) {
      // Nothing before that newline can be closed on its own line.
      start = newline;
      continue;
    }
    const tail = /^\w*/.exec(text.slice(close + 2, close + 258))?.[0] ?? '';
    return { start, end: close + 2 + tail.length, content: text.slice(start + 2, close), tail };
  }
  return undefined;
}

function bracketProperties(content: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const part of content.split('|')) {
    const equals = part.indexOf('=');
    if (equals >= 0) {
      properties.set(part.slice(0, equals), part.slice(equals + 1).replace(/^["'“‘](.+)["'”’]$/u, '$1'));
    } else if (properties.get('name')) {
      properties.set('link', part.trim());
    } else if (/^[a-z][-+\w]+:/.test(part)) {
      const link = properties.get('link');
      if (link) properties.set('name', link);
      properties.set('link', part.trim());
    } else properties.set('name', part);
  }
  return properties;
}
