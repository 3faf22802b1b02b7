import { notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { Issue } from '../../issues/find.ts';
import { type Reply, seeOther } from '../page.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import type { Action, ActionInput } from './action.ts';
import { CONVERSATION_ACTIONS } from './actions.ts';
import type { Draft } from './conversation.ts';
import { issuePath } from './paths.ts';
import { renderComment } from './render.ts';

/**
 * Handles a form of a conversation: its field `do` names one of {@link CONVERSATION_ACTIONS}. Afterwards the page is shown again.
 * @param show shows the page with a draft: for a preview, and with the typed values if a rule has refused them
 * @param more further actions of the page, such as those of a pull request
 */
export async function changeConversation(
  visit: RepositoryVisit,
  context: Context,
  issue: Issue,
  show: (draft: Draft) => Promise<Reply>,
  more: Readonly<Record<string, Action>> = {},
): Promise<Reply> {
  const { fields, view } = visit;
  const name = fields.get('do') ?? '';
  const actions = { ...CONVERSATION_ACTIONS, ...more };
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new HttpError(422, `[do]: ${name}`);
  for (const need of [signedIn, ...(action.whenArchived ? [] : [notArchived]), ...(action.needs ?? [])]) await need.check(visit, context);
  const input: ActionInput = { visit, issue, fields };
  if (fields.has('preview')) {
    const draft = draftOf(input);
    return show({ ...draft, preview: await renderComment(context, visit, draft.text ?? '') });
  }
  try {
    const anchor = await action.run(input, context);
    const own = issuePath(view, issue).slice(view.root.length);
    return seeOther(context, typeof anchor === 'string' ? (anchor.startsWith('#') ? own + anchor : anchor) : own);
  } catch (error) {
    if (!isCorrectable(error)) throw error;
    const isStale = error.status === 409 && ['edit', 'edit-comment', 'task'].includes(name);
    const message = isStale ? view.text.timeline.changedMeanwhile : error.message;
    return show({ ...draftOf(input), fault: message });
  }
}

/** Validation errors and conflicts; other errors have a page of their own. */
function isCorrectable(error: unknown): error is HttpError {
  return error instanceof HttpError && [400, 403, 405, 409, 412, 422].includes(error.status);
}

function draftOf({ fields }: ActionInput): Draft {
  const name = fields.get('do');
  if (name === 'comment') return { text: fields.get('text') };
  if (name === 'edit-comment') return { edit: Number(fields.get('comment')) || 0, text: fields.get('body') };
  if (name === 'edit')
    return fields.has('title') ? { edit: 'title', text: fields.get('title') } : { edit: 'body', text: fields.get('body') };
  return {};
}
