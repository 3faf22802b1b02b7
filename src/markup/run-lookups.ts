import { type HtmlParent, isElement, isText, MAX_DEPTH } from './html/tree.ts';
import { findReference } from './text/issues.ts';
import { findCodeLocation } from './text/own-urls.ts';
import { findMention } from './text/patterns.ts';
import { issueKey, PendingLookups, type TextState } from './text/state.ts';

/** The most lookups of one kind for one text; what is beyond stays plain. */
const MAX_LOOKUPS = 1000;

/** Gathers what the text of the tree names, as a superset: some of it may turn out to stand where nothing is linked. */
export function gatherLookups(root: HtmlParent, state: TextState): PendingLookups {
  const pending = new PendingLookups();
  const lookups = state.context.lookups;
  if (lookups) visit(root, state, pending, 0);
  return pending;
}

function visit(parent: HtmlParent, state: TextState, pending: PendingLookups, depth: number): void {
  if (depth > MAX_DEPTH) return;
  for (const child of parent.childNodes) {
    if (isText(child)) gather(child.value, isElement(parent) ? parent.tagName : '', state, pending);
    else if (isElement(child) && child.tagName !== 'code' && child.tagName !== 'pre' && child.tagName !== 'a')
      visit(child, state, pending, depth + 1);
  }
}

function gather(text: string, parent: string, state: TextState, pending: PendingLookups): void {
  const { lookups, repository } = state.context;
  if (lookups?.mentionable) {
    let from = 0;
    for (let found = findMention(text); found; found = findMention(text.slice(from))) {
      add(pending.mentions, text.slice(from + found.start + 1, from + found.end));
      from += found.end;
    }
  }
  if (lookups?.commits && repository) for (const [id] of text.matchAll(/\b[0-9a-f]{7,64}\b/g)) add(pending.commits, id);
  if (lookups?.issueTitles && parent === 'li' && text.length < 400) {
    const found = findReference(text, state);
    const owner = found?.owner || repository?.owner;
    if (found && owner && pending.issues.size < MAX_LOOKUPS) {
      const issue = { owner, name: found.owner ? found.name : (repository?.name ?? ''), index: Number(found.issue) };
      pending.issues.set(issueKey(issue), issue);
    }
  }
  if (lookups?.codePreviews) {
    let rest = text;
    for (let found = findCodeLocation(rest, state); found && pending.code.size < 20; found = findCodeLocation(rest, state)) {
      pending.code.set(found.location.url, found.location);
      rest = rest.slice(found.end);
    }
  }
}

function add(set: Set<string>, value: string): void {
  if (set.size < MAX_LOOKUPS) set.add(value);
}

/** Whether any lookup is pending. */
export const hasLookups = ({ mentions, commits, issues, code }: PendingLookups): boolean =>
  mentions.size + commits.size + issues.size + code.size > 0;

/** Runs all lookups, each kind once, and stores the results in `state`. */
export async function runLookups(pending: PendingLookups, state: TextState): Promise<void> {
  const lookups = state.context.lookups;
  const [mentionable, commits, issueTitles, codePreviews] = await Promise.all([
    pending.mentions.size ? lookups?.mentionable?.([...pending.mentions]) : undefined,
    pending.commits.size ? lookups?.commits?.([...pending.commits]) : undefined,
    pending.issues.size ? lookups?.issueTitles?.([...pending.issues.values()]) : undefined,
    pending.code.size ? lookups?.codePreviews?.([...pending.code.values()]) : undefined,
  ]);
  state.mentionable = new Set(mentionable ?? []);
  state.commits = new Set(commits ?? []);
  state.issueTitles = issueTitles ?? state.issueTitles;
  state.codePreviews = codePreviews ?? state.codePreviews;
}
