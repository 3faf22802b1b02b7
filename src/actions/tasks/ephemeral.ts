import type { Context } from '../../context.ts';

/** An ephemeral runner gets one job: with the end of that it goes. */
export async function removeEphemeralRunner({ db }: Pick<Context, 'db'>, runnerId: number): Promise<void> {
  await db.deleteFrom('action_runners').where('id', '=', runnerId).where('is_ephemeral', '=', true).execute();
}
