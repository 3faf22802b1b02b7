import type { Context } from '../../context.ts';

/** Deletes an ephemeral runner at the end of its only job. */
export async function removeEphemeralRunner({ db }: Pick<Context, 'db'>, runnerId: number): Promise<void> {
  await db.deleteFrom('action_runners').where('id', '=', runnerId).where('is_ephemeral', '=', true).execute();
}
