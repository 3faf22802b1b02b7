import { parseHtml } from '../html/tree.ts';
import type { Span } from './patterns.ts';
import { codeLink, madeLink, shortId, type TextRule } from './rules.ts';
import type { TextState } from './state.ts';

// Each pattern is tried on one run of non-blanks, no longer than this, so that none costs more than its length.
const MAX_LENGTH = 2048;

const ISSUE = /https?:\/\/(?:\S+\/)[\w.-]+\/[\w.-]+\/(?:issues|pulls)\/((?:\w{1,10}-)?[1-9][0-9]*)([?|#](\S+)?)?\b/;
const FILES = /^https?:\/\/\S+\/pulls\/(?:\w{1,10}-)?[1-9][0-9]*\/files(?:[?|#]\S*)?\b/;
const COMMIT = /https?:\/\/(?:\S+\/){4,5}?([0-9a-f]{40,64})((?:\.\w+)*)(\/[-+~%./\w]+)?(\?[-+~%.\w&=]+)?(#[-+~%.\w]+)?/;
const COMPARE = /https?:\/\/(?:\S+\/){4,5}?([0-9a-f]{7,64})(\.\.\.?)([0-9a-f]{7,64})(#[-+~_%.a-zA-Z0-9]+)?/;
const CODE = /https?:\/\/\S+\/([^\s/]+)\/([^\s/]+)\/src\/commit\/([0-9a-f]{7,64})(\/\S+)#(L\d+(-L\d+)?)/;

/** The first run of non-blanks with an address in which `pattern` finds something of this instance. */
function findOwn(
  text: string,
  pattern: RegExp,
  hint: string,
  state: TextState,
  except?: RegExp,
): (Span & { match: RegExpExecArray }) | undefined {
  if (!text.includes('://') || !text.includes(hint)) return undefined;
  const runs = /https?:\/\/\S+/g;
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0].length > MAX_LENGTH || except?.test(run[0])) continue;
    const match = pattern.exec(run[0]);
    if (!match || !state.links.isOwn(match[0])) continue;
    const start = run.index + match.index;
    return { start, end: start + match[0].length, match };
  }
  return undefined;
}

/** Addresses of issues and pull requests here, shown as references. */
export const issueUrls: TextRule = (text, state) => {
  const found = findOwn(text, ISSUE, '/', state, FILES);
  if (!found) return undefined;
  const url = found.match[0];
  const [owner, name] = url.split('/').slice(-4, -2);
  const reference = `#${found.match[1]}${found.match[2] ? ' (comment)' : ''}`;
  const { repository } = state.context;
  const here = owner === repository?.owner && name === repository?.name;
  return { start: found.start, end: found.end, nodes: [madeLink(url, here ? reference : `${owner}/${name}${reference}`, 'ref-issue')] };
};

/** Addresses of comparisons here, shown by their short ids. */
export const compareUrls: TextRule = (text, state) => {
  const found = findOwn(text, COMPARE, '..', state);
  if (!found) return undefined;
  const [url = '', from = '', dots = '', to = '', hash = ''] = withoutFullStop(found.match);
  const label = shortId(from) + dots + shortId(to) + (hash ? ` (${hash.slice(1)})` : '');
  return { start: found.start, end: found.start + url.length, nodes: [codeLink(url, label)] };
};

/** Addresses of commits and of what is in them here, shown by the short id. */
export const commitUrls: TextRule = (text, state) => {
  const found = findOwn(text, COMMIT, '/', state);
  if (!found) return undefined;
  const [url = '', id = '', extension = '', path = '', , hash = ''] = withoutFullStop(found.match);
  const label = shortId(id) + extension + path + (hash ? ` (${hash.slice(1)})` : '');
  return { start: found.start, end: found.start + url.length, nodes: [codeLink(url, label)] };
};

/** A full stop at the end belongs to the sentence. */
function withoutFullStop(match: RegExpExecArray): string[] {
  const parts = [...match].map((part) => part ?? '');
  if (!match[0].endsWith('.')) return parts;
  let last = parts.length - 1;
  while (last > 0 && !parts[last]) last--;
  for (const index of [0, last]) parts[index] = (parts[index] ?? '').slice(0, -1);
  return parts;
}

/** Where a code preview's address points to, when there is one in the text. */
export function findCodeLocation(text: string, state: TextState) {
  const found = findOwn(text, CODE, '/src/commit/', state);
  if (!found) return undefined;
  const [url = '', owner = '', name = '', commit = '', path = '', lines = ''] = found.match;
  const [first = 0, last = 0] = lines.split('-').map((line) => Number(line.slice(1)));
  return { start: found.start, end: found.end, location: { owner, name, commit, path: decode(path.slice(1)), first, last, url } };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path.replace(/[?#].*$/s, ''));
  } catch {
    return path;
  }
}

/** Addresses of lines of a file at a commit here, shown as those lines. */
export const codePreviews: TextRule = (text, state) => {
  if (state.codePreviews.size === 0) return undefined;
  const found = findCodeLocation(text, state);
  const preview = found && state.codePreviews.get(found.location.url);
  return preview ? { start: found.start, end: found.end, nodes: parseHtml(preview).childNodes } : undefined;
};
