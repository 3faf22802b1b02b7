import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { mapInSlices } from '../../../concurrency/time-slice.ts';
import { afterCommit, type Context, inTransaction } from '../../../context.ts';
import type { ActionRunner } from '../../../database/tables/action-runners.ts';
import type { ActionTask } from '../../../database/tables/actions.ts';
import { subjects } from '../../../processes/subjects.ts';
import { refusal } from '../../protocol/errors.ts';
import type { UpdateLogRequest } from '../../protocol/messages.ts';
import { findTaskOf } from '../find.ts';
import { formatLine } from './format.ts';
import { maskLines } from './masks.ts';
import { masksOf } from './masks-of-task.ts';
import { storeLog } from './store.ts';

/** Size limit of the log of one task in bytes. Later lines are acknowledged, and discarded. */
const MAX_LOG = 256 * 1024 * 1024;
const compress = promisify(gzip);

/**
 * Appends new lines to the log of a task. The response has the number of stored lines: so nothing is lost or doubled when
 * a runner repeats a report. With the last lines the log is moved to the storage.
 * @throws ProcedureError for a task that is not this runner's, and for lines after the last
 */
export async function updateLog(context: Context, runner: ActionRunner, { taskId, index, rows, noMore }: UpdateLogRequest) {
  const task = await findTaskOf(context, runner, taskId);
  const first = index >= 0n && index <= BigInt(task.log_lines) ? Number(index) : undefined;
  const fresh = first === undefined ? [] : rows.slice(task.log_lines - first);
  if (task.log_in_storage) {
    if (fresh.length > 0) throw refusal('AlreadyExists', 'log file has been archived');
    return { ackIndex: BigInt(task.log_lines) };
  }
  let lines = task.log_lines;
  if (fresh.length > 0) {
    const contents = await mapInSlices(fresh, ({ content }) => content.replaceAll('\n', '\\n'));
    const masked = await maskLines(contents, await masksOf(context, task));
    // A report may have 100,000 lines.
    const texts = await mapInSlices(fresh, ({ time }, at) => formatLine({ content: masked[at] ?? '', ...(time && { time }) }));
    lines = await append(context, task, texts);
  }
  // A log with a gap is not closed: its runner sends the missing lines first.
  if (noMore && first !== undefined && lines >= first + rows.length) await storeLog(context, task.id);
  return { ackIndex: BigInt(lines) };
}

/** Returns the current number of lines of the log; another request may have been faster. */
async function append(context: Context, task: ActionTask, lines: readonly string[]): Promise<number> {
  const text = Buffer.from(lines.join(''));
  const isKept = task.log_size + text.length <= MAX_LOG;
  const content = isKept ? await compress(text) : undefined;
  return await inTransaction(context, async (context) => {
    const { db } = context;
    const after = task.log_lines + lines.length;
    const appended = await db
      .updateTable('action_tasks')
      .set({ log_lines: after, ...(content && { log_size: task.log_size + text.length }) })
      .where('id', '=', task.id)
      .where('log_lines', '=', task.log_lines)
      .where('log_in_storage', '=', false)
      .returning('id')
      .executeTakeFirst();
    if (!appended) return task.log_lines;
    if (content) {
      const block = { task_id: task.id, first_line: task.log_lines, lines: lines.length, size: text.length, content };
      await db.insertInto('action_log_blocks').values(block).execute();
    }
    afterCommit(context, () => context.wakeUps.notify([subjects.log(task.job_id)]));
    return after;
  });
}
