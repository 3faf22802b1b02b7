import type { Context } from '../../context.ts';
import { listRefs, readRef } from '../../git/refs.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { editIssue } from '../../issues/edit.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../view.ts';
import type { ActionInput } from './action.ts';
import type { Conversation } from './conversation.ts';
import { sideForm, sidePart } from './side-part.ts';

/** So many names are proposed; others can be typed. */
const MAX_PROPOSED = 200;
const PREFIX = /^refs\/(?:heads|tags)\//;

/** The possible branches of an issue; undefined for users who may not change it, and for pull requests, which have their own. */
export async function readReferences({ visit, issue, canEdit }: Conversation, context: Context): Promise<readonly string[] | undefined> {
  const { repository, access } = visit;
  if (issue.is_pull || !canEdit || repository.is_empty || !access.canRead('code')) return undefined;
  const located = context.git.locate(repository);
  const [heads, tags] = await Promise.all(['refs/heads/', 'refs/tags/'].map((prefix) => listRefs(located, context.git.pool, prefix)));
  return [...(heads ?? []), ...(tags ?? [])].slice(0, MAX_PROPOSED).map(({ name }) => name.replace(PREFIX, ''));
}

/** The branch or tag that an issue is about. */
export function reference(conversation: Conversation, references: readonly string[] | undefined): Html | false {
  const { visit, issue } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  const name = issue.ref.replace(PREFIX, '');
  if (issue.is_pull || (!references && name === '')) return false;
  const form =
    references &&
    sideForm(
      conversation,
      'ref',
      html`<div class="field"><label for="f-ref">${text.reference}</label>
<input id="f-ref" name="ref" value="${name}" maxlength="255" list="f-ref-names" autocomplete="off" aria-describedby="f-ref-hint">
<datalist id="f-ref-names">${references.map((option) => html`<option value="${option}"></option>`)}</datalist>
<p class="hint" id="f-ref-hint">${text.referenceHint}</p></div>`,
    );
  const shown = name === '' ? html`<span class="muted">${text.noReference}</span>` : html`${icon(view, 'git-branch')} <code>${name}</code>`;
  return sidePart(conversation, text.reference, shown, form ?? false);
}

/** Sets the branch or tag, for the author and users with write access, as in the API. */
export async function setReference({ visit, issue, fields }: ActionInput, context: Context): Promise<undefined> {
  const mayEdit = canWriteIssue(visit.access, issue) || issue.author_id === context.actor?.id;
  if (!mayEdit || issue.is_pull || !visit.access.canRead('code')) throw forbidden('not allowed to edit');
  const name = (fields.get('ref') ?? '').trim();
  await editIssue(context, issue, { ref: name === '' ? '' : await fullName(visit, context, name) });
}

async function fullName({ repository, view }: ActionInput['visit'], context: Context, name: string): Promise<string> {
  const located = context.git.locate(repository);
  for (const full of [`refs/heads/${name}`, `refs/tags/${name}`]) {
    if (!repository.is_empty && (await readRef(located, context.git.pool, full))) return full;
  }
  throw unprocessable(`[Ref]: ${view.text.timeline.unknownReference}`);
}
