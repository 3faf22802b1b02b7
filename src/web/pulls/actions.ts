import { withRefErrors } from '../../code/ref-errors.ts';
import type { Context } from '../../context.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { isDraftTitle } from '../../issues/present.ts';
import { cancelMerge, planMerge } from '../../pulls/auto-merge/auto-merge.ts';
import { editPull } from '../../pulls/edit.ts';
import { findPullOfIssue, type Pull } from '../../pulls/find.ts';
import { deleteMergedBranch, deletesBranch } from '../../pulls/merge/delete-branch.ts';
import { mergePull } from '../../pulls/merge/merge.ts';
import { defaultMessage } from '../../pulls/merge/message.ts';
import { MERGE_STYLES } from '../../pulls/merge/schema.ts';
import { resolveConversation } from '../../pulls/reviews/resolve.ts';
import { updatePull } from '../../pulls/update/update.ts';
import type { Action, ActionInput } from '../issues/action.ts';

/** The changes of a pull request beside those of every conversation, by the word of the field `do`. */
export const PULL_ACTIONS: Readonly<Record<string, Action>> = {
  merge: { run: merge },
  'cancel-merge': { run: async (input, context) => void (await cancelMerge(context, await pullIn(input, context))) },
  update: { run: async (input, context) => void (await updatePull(context, await pullIn(input, context), 'merge')) },
  'update-rebase': { run: async (input, context) => void (await updatePull(context, await pullIn(input, context), 'rebase')) },
  ready: { run: (input, context) => setDraft(input, context, false) },
  draft: { run: (input, context) => setDraft(input, context, true) },
  resolve: { run: (input, context) => resolve(input, context, true) },
  unresolve: { run: (input, context) => resolve(input, context, false) },
};

async function pullIn({ issue }: ActionInput, { db }: Context): Promise<Pull> {
  const pull = await findPullOfIssue(db, issue);
  if (!pull) throw notFound();
  return pull;
}

async function merge(input: ActionInput, context: Context): Promise<undefined> {
  const { fields } = input;
  const pull = await pullIn(input, context);
  const style = MERGE_STYLES.find((known) => known === fields.get('style'));
  if (!style || style === 'manually-merged') throw unprocessable('[style]: unknown');
  const deletes = deletesBranch(pull, fields.get('delete_branch') === 'on');
  const title = fields.get('merge_title')?.trim() || ((await defaultMessage(context, pull, style))?.title ?? '');
  const body = fields.get('merge_body')?.trim() ?? '';
  const message = body === '' ? title : `${title}\n\n${body}`;
  if (fields.get('when_ready') === 'on') {
    await planMerge(context, pull, { style, message, deletesBranch: deletes });
    return;
  }
  const force = fields.get('force') === 'on';
  const options = { style, message, force, expectedHead: fields.get('head') ?? '', isAutomatic: false };
  await withRefErrors(() => mergePull(context, pull, options));
  if (deletes) await deleteMergedBranch(context, pull);
}

/** Drafts are told by their titles. */
async function setDraft(input: ActionInput, context: Context, isDraft: boolean): Promise<undefined> {
  const pull = await pullIn(input, context);
  const prefixes = context.settings.pulls.workInProgressPrefixes;
  const { title } = pull.issue;
  if (isDraftTitle(prefixes, title) === isDraft) return;
  const prefix = prefixes.find((one) => title.toLowerCase().startsWith(one.toLowerCase())) ?? '';
  const next = isDraft ? `${prefixes[0] ?? 'WIP:'} ${title}` : title.slice(prefix.length).trim();
  if (!input.visit.access.canWrite('pulls') && pull.issue.author_id !== context.actor?.id) throw unprocessable('not allowed to edit');
  await editPull(context, pull, { title: next });
}

async function resolve({ visit, fields }: ActionInput, context: Context, isResolved: boolean): Promise<string> {
  const { repository, access } = visit;
  const id = fields.get('comment') ?? '';
  await resolveConversation(context, { repository, access, params: { id } }, isResolved);
  return `#issuecomment-${id}`;
}
