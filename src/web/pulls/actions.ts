import { findBranch } from '../../code/branches/branches.ts';
import type { Context } from '../../context.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { isDraftTitle } from '../../issues/present.ts';
import { editPull, type PullChanges } from '../../pulls/edit.ts';
import { changeHeadBranch, type HeadBranchAction } from '../../pulls/merge/head-branch.ts';
import { revertPull } from '../../pulls/revert/revert.ts';
import { updatePull } from '../../pulls/update/update.ts';
import type { Action, ActionInput } from '../issues/action.ts';
import { issuePath } from '../issues/paths.ts';
import { mergeActions } from './merge/actions.ts';
import { pullIn } from './pull-in.ts';
import { reviewActions } from './review/actions.ts';

/** The changes of a pull request beside those of every conversation, by the word of the field `do`. */
export const PULL_ACTIONS: Readonly<Record<string, Action>> = {
  ...mergeActions,
  ...reviewActions,
  update: { run: async (input, context) => void (await updatePull(context, await pullIn(input, context), 'merge')) },
  'update-rebase': { run: async (input, context) => void (await updatePull(context, await pullIn(input, context), 'rebase')) },
  ready: { run: (input, context) => setDraft(input, context, false) },
  draft: { run: (input, context) => setDraft(input, context, true) },
  retarget: { run: retarget },
  'maintainer-edits': { run: (input, context) => change(input, context, { allowMaintainerEdit: input.fields.get('allow') === 'on' }) },
  'delete-head': { run: (input, context) => changeBranch(input, context, 'delete') },
  'restore-head': { run: (input, context) => changeBranch(input, context, 'restore') },
  revert: { run: revert },
};

/** Drafts are recognized by their titles. */
async function setDraft(input: ActionInput, context: Context, isDraft: boolean): Promise<undefined> {
  const { issue } = input;
  const prefixes = context.settings.pulls.workInProgressPrefixes;
  if (isDraftTitle(prefixes, issue.title) === isDraft) return;
  const prefix = prefixes.find((one) => issue.title.toLowerCase().startsWith(one.toLowerCase())) ?? '';
  const title = isDraft ? `${prefixes[0] ?? 'WIP:'} ${issue.title}` : issue.title.slice(prefix.length).trim();
  await change(input, context, { title });
}

async function retarget(input: ActionInput, context: Context): Promise<undefined> {
  const { visit, fields } = input;
  const base = (fields.get('base') ?? '').trim();
  if (!(await findBranch(context, visit.repository, base))) throw unprocessable(visit.view.text.merging.noSuchBranch);
  return change(input, context, { base });
}

async function change(input: ActionInput, context: Context, changes: PullChanges): Promise<undefined> {
  const { access } = input.visit;
  if (!access.canWrite('pulls') && input.issue.author_id !== context.actor?.id) throw forbidden('not allowed to edit');
  await editPull(context, await pullIn(input, context), changes);
}

async function changeBranch(input: ActionInput, context: Context, requested: HeadBranchAction): Promise<undefined> {
  await changeHeadBranch(context, await pullIn(input, context), requested);
}

/** Leads to the pull request that reverts this one. */
async function revert(input: ActionInput, context: Context): Promise<string> {
  const { view } = input.visit;
  const made = await revertPull(context, await pullIn(input, context));
  return issuePath(view, made.issue).slice(view.root.length);
}
