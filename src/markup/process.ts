import { anchorName } from './anchor.ts';
import {
  attribute,
  element,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  isText,
  MAX_DEPTH,
  setChildren,
  textContent,
} from './html/tree.ts';
import { TRUSTED_CLASS } from './html/trusted.ts';
import { issueReferences } from './text/issues.ts';
import { codePreviews, commitUrls, compareUrls, issueUrls } from './text/own-urls.ts';
import { commitIds, commitReferences, emails, emojiNames, emojis, mentions, type TextRule, webUrls, wikiLinks } from './text/rules.ts';
import type { TextState } from './text/state.ts';

/** Rules of running text, in the order in which they take what they find. */
const TEXT_RULES: readonly TextRule[] = [
  issueUrls,
  compareUrls,
  codePreviews,
  commitUrls,
  wikiLinks,
  webUrls,
  mentions,
  issueReferences,
  commitReferences,
  commitIds,
  emails,
  emojis,
  emojiNames,
];

/** Within a link only emoji are looked for. */
const EMOJI_RULES: readonly TextRule[] = [emojiNames, emojis];

/** A heading, for a table of contents. */
export interface Heading {
  /** 1 to 6. */
  level: number;
  /** Anchor to link to, without `#`. */
  anchor: string;
  text: string;
}

/** Applies links, references and anchors to the parsed HTML in place; returns its headings. */
export function processTree(root: HtmlParent, state: TextState, rules: readonly TextRule[] = TEXT_RULES): Heading[] {
  const headings: Heading[] = [];
  processChildren(root, rules, state, headings, 0);
  return headings;
}

function processChildren(parent: HtmlParent, rules: readonly TextRule[], state: TextState, headings: Heading[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  const name = isElement(parent) ? parent.tagName : '';
  let changed = false;
  const children: (HtmlNode | string)[] = [];
  for (const child of parent.childNodes) {
    const made = isText(child) ? processText(child.value, rules, state, name) : undefined;
    if (made) {
      changed = true;
      for (const part of made) children.push(part);
    } else children.push(child);
  }
  if (changed) setChildren(parent, children);
  for (const child of [...parent.childNodes]) if (isElement(child)) processElement(child, rules, state, headings, depth);
}

/** The nodes that take the text's place, or undefined when no rule found anything. */
function processText(text: string, rules: readonly TextRule[], state: TextState, parent: string): (HtmlNode | string)[] | undefined {
  let parts: (HtmlNode | string)[] | undefined;
  for (const rule of rules) {
    const before: (HtmlNode | string)[] = parts ?? [text];
    let after: (HtmlNode | string)[] | undefined;
    before.forEach((part, index) => {
      const made = typeof part === 'string' ? applyRule(rule, part, state, parent) : undefined;
      if (made) after ??= before.slice(0, index);
      if (after) after.push(...(made ?? [part]));
    });
    if (after) parts = after;
  }
  return parts;
}

function applyRule(rule: TextRule, text: string, state: TextState, parent: string): (HtmlNode | string)[] | undefined {
  let parts: (HtmlNode | string)[] | undefined;
  let rest = text;
  for (let found = rule(rest, state, parent); found; found = rule(rest, state, parent)) {
    parts ??= [];
    parts.push(rest.slice(0, found.start), ...found.nodes);
    rest = rest.slice(found.end);
  }
  parts?.push(rest);
  return parts?.filter((part) => part !== '');
}

function processElement(node: HtmlElement, rules: readonly TextRule[], state: TextState, headings: Heading[], depth: number): void {
  if (!node.namespaceURI.endsWith('/xhtml')) return;
  anchor(node, state, headings);
  if (attribute(node, TRUSTED_CLASS) === 'emoji') return;
  switch (node.tagName) {
    case 'code':
    case 'pre':
      return;
    case 'img':
      image(node, state);
      break;
    case 'video':
      video(node, state);
      break;
    case 'a':
      link(node, state);
      processChildren(node, EMOJI_RULES, state, headings, depth + 1);
      break;
    default:
      processChildren(node, rules, state, headings, depth + 1);
  }
}

const isOwnAnchor = (id: string): boolean => id.startsWith('user-content-') || id.includes(':user-content-');

/** Anchors of users get a prefix, so that none meets one of the page; headings of files and wiki pages get one from their text. */
function anchor(node: HtmlElement, state: TextState, headings: Heading[]): void {
  let id = '';
  for (const attr of node.attrs) {
    if (attr.name === 'id') {
      if (!isOwnAnchor(attr.value)) attr.value = `user-content-${attr.value}`;
      id = attr.value;
      attr.value = withFootnoteContext(attr.value, /^(fnref|fn):user-content-/, state);
    } else if (attr.name === 'href') attr.value = withFootnoteContext(attr.value, /^#(fnref|fn):user-content-/, state);
  }
  if (!state.headingAnchors || !/^h[1-6]$/.test(node.tagName)) return;
  const text = textContent(node);
  if (!id && text) {
    const name = anchorName(text);
    if (name) {
      id = `user-content-${name}`;
      node.attrs.push({ name: 'id', value: id });
    }
  }
  if (id && text) headings.push({ level: Number(node.tagName[1]), anchor: id, text });
}

function withFootnoteContext(value: string, pattern: RegExp, { context: { origin } }: TextState): string {
  return origin.kind === 'comment' && origin.footnotes && pattern.test(value) ? `${value}-${origin.footnotes}` : value;
}

function link(node: HtmlElement, state: TextState): void {
  for (const attr of node.attrs) {
    if (attr.name !== 'href') continue;
    if (attr.value.startsWith('#')) {
      // Only an anchor that a footnote made is known to have its prefix.
      if (!attr.value.includes(':user-content-')) attr.value = `#user-content-${attr.value.slice(1)}`;
    } else attr.value = state.links.resolve(attr.value, 'page');
  }
}

/** An image loads from the raw file and, unless it stands in a link, links to its page. */
function image(node: HtmlElement, state: TextState): void {
  const source = node.attrs.find((attr) => attr.name === 'src');
  if (source) {
    const written = source.value;
    if (written !== '' && !written.startsWith('data:') && !insideLink(node)) {
      const siblings = node.parentNode?.childNodes ?? [];
      const wrapper = element('a', { href: state.links.resolve(written, 'page'), target: '_blank' });
      wrapper.parentNode = node.parentNode;
      siblings[siblings.indexOf(node)] = wrapper;
      setChildren(wrapper, [node]);
    }
    source.value = mediaUrl(state.links.resolve(written, 'media'), state);
  }
  const lazy = node.attrs.some((attr) => attr.name === 'loading' && attr.value === 'lazy');
  if (!lazy) node.attrs.push({ name: 'loading', value: 'lazy' });
}

/** Whether the parent or its parent is a link. */
function insideLink(node: HtmlElement): boolean {
  const parent = node.parentNode;
  if (!isElement(parent)) return false;
  return parent.tagName === 'a' || (isElement(parent.parentNode) && parent.parentNode.tagName === 'a');
}

function video(node: HtmlElement, state: TextState): void {
  for (const attr of node.attrs) {
    if (attr.name !== 'src') continue;
    const relative = attr.value !== '' && !/^[a-z][-+\w]+:/.test(attr.value) && !/^[?#]/.test(attr.value);
    attr.value = mediaUrl(relative ? state.links.resolve(attr.value, 'media') : attr.value, state);
  }
}

const mediaUrl = (url: string, state: TextState): string => state.context.settings?.mediaUrl?.(url) ?? url;
