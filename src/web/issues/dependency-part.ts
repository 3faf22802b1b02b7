import type { Context } from '../../context.ts';
import { HttpError, unprocessable } from '../../http/errors.ts';
import {
  addDependency,
  type End,
  hasDependencies,
  listBlocked,
  listDependencies,
  removeDependency,
} from '../../issues/dependencies/dependencies.ts';
import { dependencyEnd } from '../../issues/dependencies/find.ts';
import { presentDependencies } from '../../issues/dependencies/present.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { presentIssues } from '../../issues/present.ts';
import { actionButton, field, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../view.ts';
import type { Action, ActionInput } from './action.ts';
import type { Conversation } from './conversation.ts';
import { issueLink } from './events.ts';
import type { ShownIssue } from './shown.ts';
import { sideForm, sidePart } from './side-part.ts';

/** The other end of a dependency. */
interface ShownEnd {
  readonly issue: ShownIssue;
  readonly mayRemove: boolean;
}

/** The dependencies of an issue, and the issues that depend on it. */
export interface DependencyData {
  readonly blockedBy: readonly ShownEnd[];
  readonly blocks: readonly ShownEnd[];
}

const PAGE = { page: 1, limit: 50, offset: 0 };

/** Reads the dependencies of an issue; undefined if there are none. */
export async function readDependencies({ issue, canWrite }: Conversation, context: Context): Promise<DependencyData | undefined> {
  if (!hasDependencies(context, issue.repository)) return undefined;
  const { dependencies } = await listDependencies(context, issue, PAGE);
  const blocked = await listBlocked(context, issue, PAGE);
  const shown = await presentIssues(
    context,
    blocked.map((end) => end.issue),
  );
  const writable = new Set(blocked.filter(mayChange).map((end) => end.issue.id));
  return {
    blockedBy: (await presentDependencies(context, dependencies)).map((issue) => ({ issue, mayRemove: canWrite })),
    blocks: shown.map((issue) => ({ issue, mayRemove: writable.has(issue.id) })),
  };
}

function mayChange({ issue, access }: End): boolean {
  return canWriteIssue(access, issue) && !issue.repository.is_archived;
}

/** The list of blocking issues, and the list of blocked ones. */
export function dependencies(conversation: Conversation, data: DependencyData | undefined): Html | false {
  if (!data) return false;
  const { visit, canWrite, path } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  const remove = (relation: keyof DependencyData, { issue, mayRemove }: ShownEnd) =>
    mayRemove &&
    issue.repository &&
    actionButton(view, {
      action: path,
      label: icon(view, 'x', text.remove),
      fields: { do: 'remove-dependency', relation, issue: `${issue.repository.full_name}#${issue.number}` },
      className: 'link',
    });
  const list = (relation: keyof DependencyData) =>
    data[relation].length > 0 &&
    html`<h3>${text[relation]}</h3><ul class="plain-list">${data[relation].map((end) => html`<li class="row">${issueLink(view, end.issue)} ${remove(relation, end)}</li>`)}</ul>`;
  const shown = html`${list('blockedBy')}${list('blocks')}
${data.blockedBy.length + data.blocks.length === 0 && html`<span class="muted">${text.noDependencies}</span>`}`;
  const relations = (['blockedBy', 'blocks'] as const).map((relation) => [relation, text[relation]] as const);
  const fields = html`${select({ name: 'relation', label: text.relation, value: 'blockedBy', options: relations })}
${field({ name: 'issue', label: text.addDependency, hint: text.issueNumber, isRequired: true, maxLength: 300 })}`;
  return sidePart(conversation, text.dependencies, shown, canWrite && sideForm(conversation, 'add-dependency', fields));
}

/** Adding and removing dependencies, in both directions: the field `relation` names the direction. */
export const DEPENDENCY_ACTIONS: Readonly<Record<string, Action>> = {
  'add-dependency': { run: (input, context) => changeDependency(input, context, addDependency) },
  'remove-dependency': { run: (input, context) => changeDependency(input, context, removeDependency) },
};

/** `#12`, `12`, or `owner/name#12`. */
const ISSUE_NAME = /^(?:([^/\s#]{1,100})\/([^/\s#]{1,100}))?#?(\d{1,15})$/;

async function changeDependency(input: ActionInput, context: Context, change: typeof addDependency): Promise<undefined> {
  const { visit, issue, fields } = input;
  const own: End = { issue, access: visit.access };
  try {
    const other = await namedEnd(input, context);
    if (fields.get('relation') === 'blocks') await change(context, other, own);
    else await change(context, own, other);
  } catch (error) {
    // The issue in the form cannot be used; the page itself exists.
    if (error instanceof HttpError && error.status === 404) throw unprocessable(visit.view.text.timeline.noSuchIssue);
    throw error;
  }
}

function namedEnd({ visit, fields }: ActionInput, context: Context): Promise<End> {
  const { repository, access, view } = visit;
  const { timeline: text } = view.text;
  const named = ISSUE_NAME.exec((fields.get('issue') ?? '').trim());
  if (!named) throw unprocessable(`[${text.addDependency}]: ${text.issueNumber}`);
  const [, owner = repository.owner.name, repo = repository.name, index] = named;
  return dependencyEnd(context, { repository, access }, { owner, repo, index: Number(index) });
}
