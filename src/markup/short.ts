import { escapeHtml } from '../text/escape-html.ts';
import type { MarkupContext } from './context.ts';
import { RENDER_DEADLINE, RenderLimitError, withDeadline } from './deadline.ts';
import { sanitize } from './html/sanitizer.ts';
import { element, type HtmlNode, parseHtml } from './html/tree.ts';
import { TRUSTED_CLASS } from './html/trusted.ts';
import { processTree } from './process.ts';
import { gatherLookups, hasLookups, runLookups } from './run-lookups.ts';
import { issueReferences } from './text/issues.ts';
import { commitUrls, compareUrls, issueUrls } from './text/own-urls.ts';
import { commitIds, commitReferences, emails, emojiNames, emojis, mentions, type TextRule, webUrls } from './text/rules.ts';
import { TextState } from './text/state.ts';
import { findWebUrl } from './text/web-url.ts';

/** A text that is not Markdown: what of it becomes links. */
export type ShortText =
  /** A commit message, or what of it follows the subject. */
  | 'message'
  /** The first line of a commit message: no email addresses. */
  | 'subject'
  /** The title of an issue or pull request: references only. */
  | 'title'
  /** Names of people and the like: emoji only. */
  | 'emoji';

const REFERENCES: readonly TextRule[] = [issueReferences, commitReferences, commitIds];
const EMOJI: readonly TextRule[] = [emojis, emojiNames];
const ADDRESSES: readonly TextRule[] = [issueUrls, compareUrls, commitUrls];

const RULES: Record<ShortText, readonly TextRule[]> = {
  message: [...ADDRESSES, webUrls, mentions, ...REFERENCES, emails, ...EMOJI],
  subject: [...ADDRESSES, webUrls, mentions, ...REFERENCES, ...EMOJI],
  title: [...REFERENCES, ...EMOJI],
  emoji: EMOJI,
};

/**
 * Renders plain text with the links its kind allows, and what stands between backticks as code (not in messages). With `link`, what is
 * no link itself leads there; a text that is one address does so as a whole.
 */
export async function renderShortText(text: string, kind: ShortText, context: MarkupContext, link?: string): Promise<string> {
  if (isPlain(text, context)) return link === undefined ? text : `<a href="${escapeHtml(link)}" class="muted" rel="nofollow">${text}</a>`;
  const deadline = context.patience ?? RENDER_DEADLINE;
  try {
    const state = new TextState(context);
    const heaviness = state.trackerPattern ? Number.POSITIVE_INFINITY : text.length;
    const whole = link !== undefined ? findWebUrl(text.trim(), state.schemes) : undefined;
    const rules = whole?.start === 0 && whole.end === text.trim().length ? RULES.emoji : RULES[kind];
    const body = element('body', {}, ...(kind === 'message' ? [text] : withCode(text)));
    const pending = withDeadline(heaviness, deadline, () => gatherLookups(body, state));
    if (hasLookups(pending)) await runLookups(pending, state);
    return withDeadline(heaviness, deadline, () => {
      processTree(body, state, rules);
      if (link !== undefined) body.childNodes = body.childNodes.map((node) => linked(node, link));
      return sanitize(body, { classes: true });
    });
  } catch (error) {
    if (error instanceof RenderLimitError && context.patience === undefined) return escapeHtml(text);
    throw error;
  }
}

/**
 * Whether no rule can find anything: words without the characters that every reference, address and emoji has, and without what could be
 * the id of a commit. Most titles of commits are such, and pages have many.
 */
function isPlain(text: string, { repository }: MarkupContext): boolean {
  return !repository?.issueTracker && /^[\w ,.()-]+$/.test(text) && !/[0-9a-f]{7}/i.test(text);
}

function linked(node: HtmlNode, href: string): HtmlNode {
  if (node.nodeName === 'a') return node;
  return element('a', { href, [TRUSTED_CLASS]: 'muted' }, node);
}

/** The text with what stands between backticks as code. */
function withCode(text: string): (HtmlNode | string)[] {
  const parts: (HtmlNode | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    parts.push(text.slice(end, match.index), element('code', { [TRUSTED_CLASS]: 'inline-code-block' }, match[1] ?? ''));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

const DESCRIPTION = new Set(['a', 'b', 'code', 'em', 'i', 'span', 'strong']);

/** Renders the description of a repository: a line that may hold some HTML, addresses and emoji. */
export function renderDescription(text: string, context: MarkupContext): string {
  try {
    return withDeadline(text.length, context.patience ?? RENDER_DEADLINE, () => {
      const allowed = sanitize(parseHtml(text), { classes: false, only: DESCRIPTION });
      const body = parseHtml(allowed);
      processTree(body, new TextState(context), [descriptionAddresses, ...EMOJI]);
      return sanitize(body, { classes: true, only: DESCRIPTION });
    });
  } catch (error) {
    if (error instanceof RenderLimitError && context.patience === undefined) return escapeHtml(text);
    throw error;
  }
}

const descriptionAddresses: TextRule = (text, state) => {
  const found = text.includes(':') ? findWebUrl(text, state.schemes) : undefined;
  if (!found) return undefined;
  const url = text.slice(found.start, found.end);
  return { ...found, nodes: [element('a', { href: url, target: '_blank' }, url)] };
};
