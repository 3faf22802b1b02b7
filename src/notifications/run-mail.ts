import { findRepository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { fullName } from '../access/requirements.ts';
import { findRun, jobsOfRun } from '../actions/jobs/find.ts';
import { isDone } from '../actions/jobs/status.ts';
import { runHtmlUrl } from '../actions/runs/present.ts';
import { type Context, inTransaction } from '../context.ts';
import type { ActionJob } from '../database/tables/actions.ts';
import type { Events, StoredEvent } from '../events/events.ts';
import { queueMail } from '../mail/mail.ts';
import { escapeHtml } from '../text/escape-html.ts';
import { sends } from './mail-preferences.ts';

const SHORT_ID = 10;
/** Jobs that a mail lists. */
const MAX_JOBS = 50;

/** Whether a change of a run is mailed: when it has failed. */
export function isMailedRun({ status }: Events['workflow-run.changed'], context: Context): boolean {
  return status === 'failure' && sends(context);
}

/** Mails who triggered a run that it failed, once all of its jobs are over. */
export async function mailOfRun({ payload }: StoredEvent<'workflow-run.changed'>, context: Context): Promise<void> {
  const run = await findRun(context.db, payload.runId);
  const repository = await findRepository(context.db, payload.repositoryId);
  const user = await findUserById(context.db, payload.actorId);
  if (run?.status !== 'failure' || !repository || !user?.is_active || user.prohibit_login) return;
  if (user.email === '' || user.email_notifications === 'disabled') return;
  if (!(await repositoryAccess({ ...context, actor: null }, repository, user)).canRead('actions')) return;
  const jobs = await jobsOfRun(context.db, run.id);
  if (!jobs.every(({ status }) => isDone(status))) return;
  const [name, page] = [fullName(repository), runHtmlUrl(context, repository, run.id)];
  const subject = `Run failed: ${run.workflow_id} (${run.commit_sha.slice(0, SHORT_ID)})`;
  const told = jobs.every(({ status }) => status === 'failure') ? 'All jobs have failed' : 'Some jobs were not successful';
  const lines = ordered(jobs)
    .slice(0, MAX_JOBS)
    .map((job) => `${job.name}: ${job.status}`);
  await inTransaction(context, async (context) => {
    await queueMail(context, {
      to: user.email,
      subject,
      text: `${told} in ${name}: ${run.title}\n\n${lines.join('\n')}\n\n${page}\n`,
      html: `<p>${escapeHtml(`${told} in ${name}: ${run.title}`)}</p>\n<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>\n<p><a href="${escapeHtml(page)}">${escapeHtml(page)}</a></p>\n`,
      headers: { 'X-Gitea-Sender': user.name, 'X-Gitea-Recipient': user.name, 'X-Gitea-Repository-Path': name },
    });
  });
}

/** Those that did not succeed first. */
function ordered(jobs: readonly ActionJob[]): ActionJob[] {
  return [...jobs].sort((a, b) => Number(a.status === 'success') - Number(b.status === 'success') || a.id - b.id);
}
