import { findRepository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { fullName } from '../access/requirements.ts';
import { findRun, jobsOfRun } from '../actions/jobs/find.ts';
import { isDone } from '../actions/jobs/status.ts';
import { runHtmlUrl } from '../actions/runs/present.ts';
import { type Context, inTransaction } from '../context.ts';
import type { ActionJob, ActionRun } from '../database/tables/actions.ts';
import type { Events, StoredEvent } from '../events/events.ts';
import { queueMail } from '../mail/mail.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { peopleHeaders, repositoryHeaders } from './mail-headers.ts';
import { sends, wantsRunMail } from './mail-preferences.ts';

const SHORT_ID = 10;
/** Jobs that a mail lists. */
const MAX_JOBS = 50;

/** Results of runs that are mailed. A skipped run is not. */
const ENDS = { success: 'succeeded', failure: 'failed', cancelled: 'cancelled' } as const;
type EndedRun = ActionRun & { readonly status: keyof typeof ENDS };

/** Whether a change of a run may be mailed: when it is over. */
export function isMailedRun({ status }: Events['workflow-run.changed'], context: Context): boolean {
  return status in ENDS && sends(context);
}

/** Mails the result of a run to the user who triggered it, once all of its jobs have ended, once for each attempt. */
export async function mailOfRun({ payload }: StoredEvent<'workflow-run.changed'>, context: Context): Promise<void> {
  const user = await findUserById(context.db, payload.actorId);
  if (!user || !wantsRunMail(user, payload.status)) return;
  const run = await findRun(context.db, payload.runId);
  const repository = await findRepository(context.db, payload.repositoryId);
  if (!run || !isEnded(run) || !repository || !wantsRunMail(user, run.status)) return;
  if (!(await repositoryAccess({ ...context, actor: null }, repository, user)).canRead('actions')) return;
  const jobs = await jobsOfRun(context.db, run.id);
  if (!jobs.every(({ status }) => isDone(status))) return;
  const [name, page] = [fullName(repository), runHtmlUrl(context, repository, run.id)];
  const subject = `Run ${ENDS[run.status]}: ${run.workflow_id} (${run.commit_sha.slice(0, SHORT_ID)})`;
  const told = outcome(run, jobs);
  const lines = ordered(jobs)
    .slice(0, MAX_JOBS)
    .map((job) => `${job.name}: ${job.status}`);
  await inTransaction(context, async (context) => {
    if (!(await claimMail(context, run))) return;
    await queueMail(context, {
      to: user.email,
      sender: user.full_name || user.name,
      subject,
      text: `${told} in ${name}: ${run.title}\n\n${lines.join('\n')}\n\n${page}\n`,
      html: `<p>${escapeHtml(`${told} in ${name}: ${run.title}`)}</p>\n<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>\n<p><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>\n`,
      headers: { ...repositoryHeaders(context, repository), ...peopleHeaders(user, user) },
    });
  });
}

/** Whether nobody has mailed of this attempt. Jobs that end at once emit several changes, and each of them finds the run over. */
async function claimMail({ db }: Context, { id, attempt }: ActionRun): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('action_runs')
    .set({ mailed_attempt: attempt })
    .where('id', '=', id)
    .where('mailed_attempt', '<', attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function isEnded(run: ActionRun): run is EndedRun {
  return run.status in ENDS;
}

function outcome({ status }: EndedRun, jobs: readonly ActionJob[]): string {
  if (status === 'success') return 'All jobs have succeeded';
  const areAll = jobs.every((job) => job.status === status);
  if (status === 'cancelled') return areAll ? 'All jobs have been cancelled' : 'Some jobs have been cancelled';
  return areAll ? 'All jobs have failed' : 'Some jobs were not successful';
}

/** Those that did not succeed first. */
function ordered(jobs: readonly ActionJob[]): ActionJob[] {
  return [...jobs].sort((a, b) => Number(a.status === 'success') - Number(b.status === 'success') || a.id - b.id);
}
