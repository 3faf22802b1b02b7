import type { ExternalIssueTracker } from '../context.ts';
import { element, type HtmlNode, parseHtml } from '../html/tree.ts';
import { TRUSTED_CLASS } from '../html/trusted.ts';
import { ROOT_LINK } from '../links.ts';
import { findAlphanumericReference, findNumericReference, findPatternReference, type IssueReference } from './patterns.ts';
import { madeLink, type TextRule } from './rules.ts';
import { issueKey, type TextState } from './state.ts';

/** The first reference in the text by the style of the repository's tracker; `!1` stays a pull request here whatever the tracker. */
export function findReference(text: string, state: TextState): IssueReference | undefined {
  const tracker = state.context.repository?.issueTracker;
  const crossOnly = !state.shortReferences;
  if (!tracker || tracker.style === 'numeric') return findNumericReference(text, crossOnly);
  const pull = findNumericReference(text, crossOnly, true);
  const { trackerPattern } = state;
  const issue =
    tracker.style === 'alphanumeric' ? findAlphanumericReference(text) : trackerPattern && findPatternReference(text, trackerPattern);
  return issue && (!pull || issue.start <= pull.start) ? issue : pull;
}

/** References to issues and pull requests, with the word before them that closes or reopens. */
export const issueReferences: TextRule = (text, state, parent) => {
  const found = findReference(text, state);
  if (!found) return undefined;
  const { repository } = state.context;
  if (!found.owner && !repository) return undefined;
  const tracker = found.isPull ? undefined : repository?.issueTracker;
  const written = text.slice(found.start, found.end);
  const link = tracker
    ? madeLink(expand(tracker, found.issue, state), written, 'ref-issue ref-external-issue')
    : issueLink(found, written, state, parent === 'li' && found.start < 20 && found.end === text.length);
  const keyword = state.keywords.before(text, found.start);
  if (!keyword) return { start: found.start, end: found.end, nodes: [link] };
  const word = text.slice(keyword.start, keyword.end);
  const marked = repository?.issueTracker ? word : element('span', { [TRUSTED_CLASS]: 'issue-keyword' }, word);
  return { start: keyword.start, end: found.end, nodes: [marked, text.slice(keyword.end, found.start), link] };
};

function issueLink(found: IssueReference, written: string, state: TextState, alone: boolean): HtmlNode {
  const { repository } = state.context;
  const owner = found.owner || repository?.owner || '';
  const name = found.owner ? found.name : (repository?.name ?? '');
  const href = `${ROOT_LINK}${owner}/${name}/${found.isPull ? 'pulls' : 'issues'}/${found.issue}`;
  const title = alone ? state.issueTitles.get(issueKey({ owner, name, index: Number(found.issue) })) : undefined;
  if (!title) return madeLink(href, written, 'ref-issue');
  const icon = title.icon ? parseHtml(title.icon).childNodes : [];
  return element('a', { href, [TRUSTED_CLASS]: 'ref-issue' }, ...icon, ` ${title.title} (${written})`);
}

function expand(tracker: ExternalIssueTracker, issue: string, state: TextState): string {
  const { repository } = state.context;
  const values: Record<string, string> = { user: repository?.owner ?? '', repo: repository?.name ?? '', index: issue };
  return tracker.format.replace(/\{(\w+)\}/g, (whole, key: string) => (Object.hasOwn(values, key) ? (values[key] ?? whole) : whole));
}
