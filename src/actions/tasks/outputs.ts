import type { Context } from '../../context.ts';

const MAX_NAME = 255;
/** Bytes. */
const MAX_VALUE = 1024 * 1024;
/** Of one task: those that need it get them all in one message. */
const MAX_OUTPUTS = 500;
const MAX_TOTAL = 8 * 1024 * 1024;

/**
 * Stores the outputs of a task; a stored one does not change. Outputs that are too long or too many are left out.
 * @returns the names of all stored ones
 */
export async function keepOutputs({ db, log }: Context, taskId: number, outputs: { readonly [name: string]: string }): Promise<string[]> {
  const kept = await db
    .selectFrom('action_task_outputs')
    .select((select) => ['name', select.fn<number>('length', ['value']).as('size')])
    .where('task_id', '=', taskId)
    .orderBy('name')
    .execute();
  const names = new Set(kept.map(({ name }) => name));
  let total = kept.reduce((sum, { size }) => sum + Number(size), 0);
  for (const [rawName, rawValue] of Object.entries(outputs)) {
    // PostgreSQL keeps no NUL in a text.
    const [name, value] = [rawName.replaceAll('\0', ''), rawValue.replaceAll('\0', '')];
    if (names.has(name)) continue;
    total += value.length;
    if (name.length > MAX_NAME || Buffer.byteLength(value) > MAX_VALUE || names.size >= MAX_OUTPUTS || total > MAX_TOTAL) {
      log.warn({ taskId, name: name.slice(0, MAX_NAME) }, 'an output of a job is too long or one too many, and is left out');
      continue;
    }
    await db
      .insertInto('action_task_outputs')
      .values({ task_id: taskId, name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    names.add(name);
  }
  return [...names].sort();
}
