import type { Context } from '../../context.ts';
import { readRef } from '../../git/refs/refs.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { editIssue } from '../../issues/edit.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { refNames } from '../code/refs/name-lists.ts';
import { field } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../view.ts';
import type { ActionInput } from './action.ts';
import type { Conversation } from './conversation.ts';
import { sideForm, sidePart } from './side-part.ts';

const PREFIX = /^refs\/(?:heads|tags)\//;

/** The branch or tag that an issue is about. Pull requests have their own. */
export function reference(conversation: Conversation): Html | false {
  const { visit, issue, canEdit } = conversation;
  const { view, repository, access } = visit;
  const { timeline: text } = view.text;
  const name = issue.ref.replace(PREFIX, '');
  const mayChange = canEdit && !repository.is_empty && access.canRead('code');
  if (issue.is_pull || (!mayChange && name === '')) return false;
  const names = refNames(view, repository, ['branches', 'tags']);
  const form =
    mayChange &&
    sideForm(
      conversation,
      'ref',
      field({ name: 'ref', label: text.reference, value: name, maxLength: 255, autocomplete: 'off', hint: text.referenceHint, names }),
    );
  const shown = name === '' ? html`<span class="muted">${text.noReference}</span>` : html`${icon(view, 'git-branch')} <code>${name}</code>`;
  return sidePart(conversation, text.reference, shown, form);
}

/** Sets the branch or tag, for the author and users with write access, as in the API. */
export async function setReference({ visit, issue, fields }: ActionInput, context: Context): Promise<undefined> {
  const mayEdit = canWriteIssue(visit.access, issue) || issue.author_id === context.actor?.id;
  if (!mayEdit || issue.is_pull || !visit.access.canRead('code')) throw forbidden('not allowed to edit');
  const name = (fields.get('ref') ?? '').trim();
  const ref = name === '' ? '' : await fullName(visit, context, name);
  if (ref !== issue.ref) await editIssue(context, issue, { ref });
}

async function fullName({ repository, view }: ActionInput['visit'], context: Context, name: string): Promise<string> {
  const located = context.git.locate(repository);
  for (const full of [`refs/heads/${name}`, `refs/tags/${name}`]) {
    if (!repository.is_empty && (await readRef(located, context.git.pool, full))) return full;
  }
  throw unprocessable(`[Ref]: ${view.text.timeline.unknownReference}`);
}
