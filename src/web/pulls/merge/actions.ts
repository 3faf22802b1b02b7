import { withRefErrors } from '../../../code/ref-errors.ts';
import type { Context } from '../../../context.ts';
import { unprocessable } from '../../../http/errors.ts';
import { cancelMerge, planMerge } from '../../../pulls/auto-merge/auto-merge.ts';
import { deleteMergedBranch, deletesBranch } from '../../../pulls/merge/delete-branch.ts';
import { markMergedManually } from '../../../pulls/merge/manual.ts';
import { mergePull } from '../../../pulls/merge/merge.ts';
import { defaultMessage } from '../../../pulls/merge/message.ts';
import { MERGE_STYLES } from '../../../pulls/merge/schema.ts';
import type { Action, ActionInput } from '../../issues/action.ts';
import { pullIn } from '../pull-in.ts';

/** The actions of the merge box, by the field `do`. */
export const mergeActions: Readonly<Record<string, Action>> = {
  merge: { run: merge },
  'cancel-merge': { run: async (input, context) => void (await cancelMerge(context, await pullIn(input, context))) },
};

async function merge(input: ActionInput, context: Context): Promise<undefined> {
  const { fields } = input;
  const pull = await pullIn(input, context);
  const style = MERGE_STYLES.find((known) => known === fields.get('style'));
  if (!style) throw unprocessable('[style]: unknown');
  if (style === 'manually-merged') {
    await markMergedManually(context, pull, fields.get('merge_commit_id')?.trim() ?? '');
    return;
  }
  const deletes = deletesBranch(pull, fields.get('delete_branch') === 'on');
  // The fields of a style have its name; programs send plain names.
  const written = (name: string) => (fields.get(`${name}_${style}`) ?? fields.get(name))?.trim() ?? '';
  const title = written('merge_title') || ((await defaultMessage(context, pull, style))?.title ?? '');
  const body = written('merge_body');
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
