import { repositoryAdmin } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { type Context, inTransaction } from '../../context.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { claimNamed } from '../../issues/attachments/pending.ts';
import { createComment, deleteComment, editComment, hasText, refuseLocked } from '../../issues/comments/comments.ts';
import { commentOf } from '../../issues/comments/find.ts';
import { deleteIssue } from '../../issues/delete.ts';
import { editIssue, refuseStale } from '../../issues/edit.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { lockIssue, unlockIssue } from '../../issues/lock/lock.ts';
import { pinIssue, unpinIssue } from '../../issues/pins/pins.ts';
import { countReactions, react, takeBackReaction } from '../../issues/reactions/reactions.ts';
import { findSubscriber, subscribe } from '../../issues/subscriptions/subscriptions.ts';
import { withTaskTicked } from '../../issues/tasks.ts';
import { safeRedirect } from '../redirects.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { Action, ActionInput } from './action.ts';
import { SIDE_ACTIONS } from './side-actions.ts';

const anchorOf = (id: number) => `#issuecomment-${id}`;

/** The changes of a conversation by the word of the field `do`. Access is that of the routes of the API that do the same. */
export const CONVERSATION_ACTIONS: Readonly<Record<string, Action>> = {
  ...SIDE_ACTIONS,
  comment: { run: addComment },
  edit: { run: edit },
  'edit-comment': { run: changeComment },
  'delete-comment': { run: removeComment },
  task: { run: tick },
  react: { run: toggleReaction },
  lock: {
    needs: [repositoryAdmin],
    run: async ({ issue, fields }, context) => done(lockIssue(context, issue, (fields.get('reason') ?? '').slice(0, 4096))),
  },
  unlock: { needs: [repositoryAdmin], run: async ({ issue }, context) => done(unlockIssue(context, issue)) },
  pin: { needs: [repositoryAdmin], run: async ({ issue }, context) => done(pinIssue(context, issue)) },
  unpin: { needs: [repositoryAdmin], run: async ({ issue }, context) => done(unpinIssue(context, issue)) },
  delete: { needs: [repositoryAdmin], run: remove },
  subscribe: { whenArchived: true, run: (input, context) => setSubscription(input, context, true) },
  unsubscribe: { whenArchived: true, run: (input, context) => setSubscription(input, context, false) },
};

async function done(change: Promise<unknown>): Promise<undefined> {
  await change;
}

function mayEdit({ visit: { access }, issue }: ActionInput, context: Context): boolean {
  return canWriteIssue(access, issue) || issue.author_id === context.actor?.id;
}

/** Comments, changes the state, or both; with both, neither happens if one is refused. */
async function addComment(input: ActionInput, context: Context): Promise<string | undefined> {
  const { visit, issue, fields } = input;
  const { timeline: text } = visit.view.text;
  const body = fields.get('text') ?? '';
  const state = fields.get('state');
  const changesState = state === 'open' || state === 'closed';
  if (body.trim() === '' && !changesState) throw unprocessable(text.emptyComment);
  if (changesState && !mayEdit(input, context)) throw forbidden(text.locked);
  if (body.trim() !== '') refuseLocked(context, issue, visit.access);
  return inTransaction(context, async (context) => {
    const comment = body.trim() === '' ? undefined : await createComment(context, issue, body);
    if (comment) await claimNamed(context, { issue, comment }, body);
    if (changesState) await editIssue(context, issue, { state });
    return comment && anchorOf(comment.id);
  });
}

/** The title, or the text. */
async function edit(input: ActionInput, context: Context): Promise<string | undefined> {
  const { issue, fields } = input;
  if (!mayEdit(input, context)) throw forbidden('not allowed to edit');
  const title = fields.get('title');
  if (title !== undefined) {
    if (title.trim() === '') throw unprocessable('[Title]: Required');
    await editIssue(context, issue, { title });
    return undefined;
  }
  const body = fields.get('body') ?? '';
  await inTransaction(context, async (context) => {
    await editIssue(context, issue, { body, contentVersion: Number(fields.get('version')) || 0 });
    await claimNamed(context, { issue }, body);
  });
  return `#issue-${issue.id}`;
}

async function ownComment({ visit, fields, issue }: ActionInput, context: Context) {
  const { repository, access } = visit;
  const found = await commentOf({ repository, access, params: { id: fields.get('comment') ?? '' } }, context);
  if (found.issue.id !== issue.id) throw forbidden('not a comment of this issue');
  return found;
}

/** A comment that the caller may change. */
async function writableComment(input: ActionInput, context: Context) {
  const found = await ownComment(input, context);
  const { comment, issue } = found;
  if (comment.author_id !== context.actor?.id && !canWriteIssue(input.visit.access, issue)) throw forbidden('not allowed to edit');
  if (!hasText(comment.kind)) throw unprocessable('[comment]: no text');
  return found;
}

async function changeComment(input: ActionInput, context: Context): Promise<string> {
  const { comment, issue } = await writableComment(input, context);
  const body = input.fields.get('body') ?? '';
  refuseStale({ ...issue, content_version: comment.content_version }, Number(input.fields.get('version')) || 0);
  await inTransaction(context, async (context) => {
    await editComment(context, comment, issue, body);
    await claimNamed(context, { issue, comment }, body);
  });
  return anchorOf(comment.id);
}

async function removeComment(input: ActionInput, context: Context): Promise<undefined> {
  const { comment, issue } = await writableComment(input, context);
  await deleteComment(context, comment, issue);
}

/** Ticks a task of the description (comment 0) or of a comment, or takes the tick away. */
async function tick(input: ActionInput, context: Context): Promise<string> {
  const { issue, fields } = input;
  const position = Number(fields.get('position'));
  if (fields.get('comment') === '0') {
    if (!mayEdit(input, context)) throw forbidden('not allowed to edit');
    await editIssue(context, issue, { body: withTaskTicked(issue.body, position), contentVersion: issue.content_version });
    return `#issue-${issue.id}`;
  }
  const { comment } = await writableComment(input, context);
  await editComment(context, comment, issue, withTaskTicked(comment.body, position));
  return anchorOf(comment.id);
}

async function toggleReaction(input: ActionInput, context: Context): Promise<string> {
  const { visit, issue, fields } = input;
  const content = fields.get('content') ?? '';
  const found = fields.get('comment') === '0' ? undefined : await ownComment(input, context);
  const target = found ?? { issue };
  const id = found?.comment.id ?? 0;
  const given = (await countReactions(context, issue, id === 0 ? [] : [id])).get(id) ?? [];
  if (given.some((reaction) => reaction.content === content && reaction.isOwn))
    await takeBackReaction(context, target, visit.access, content);
  else await react(context, target, visit.access, content);
  return id === 0 ? `#issue-${issue.id}` : anchorOf(id);
}

/** Leads back to a list of subscriptions that has sent the form. */
async function setSubscription({ issue, visit, fields }: ActionInput, context: Context, isWatching: boolean): Promise<string | undefined> {
  const user = await findSubscriber(context, issue, signedInActor(context).name);
  await subscribe(context, issue, user, isWatching);
  const back = fields.get('back');
  return back === undefined ? undefined : safeRedirect(back, context.settings.server.rootUrl).slice(visit.view.root.length);
}

async function remove({ visit, issue, fields }: ActionInput, context: Context): Promise<string> {
  const { view, repository } = visit;
  if (fields.get('confirm')?.trim() !== String(issue.number)) throw unprocessable(view.text.timeline.notConfirmed);
  await deleteIssue(context, issue);
  return repositoryPath(view, repository, 'issues').slice(view.root.length);
}
