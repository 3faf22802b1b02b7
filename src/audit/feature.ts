import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import { feature } from '../feature.ts';
import { deleteEntriesBefore } from './entries.ts';
import { recordedEvents } from './events.ts';
import { auditRoutes } from './routes.ts';
import { flushFailedSignIns, recordFailedSignIn } from './sign-ins.ts';

export const audit = feature({
  name: 'audit',
  routes: auditRoutes,
  within: recordedEvents,
  schedules: { cleanup_hook_task_table: deleteOldEntries },
  listen: flushFailedSignIns,
  provides: { recordFailedSignIn },
});

async function deleteOldEntries({ db, settings }: Context, signal: AbortSignal): Promise<void> {
  await deleteEntriesBefore(db, now() - Math.ceil(settings.audit.retention / 1000), signal);
}
