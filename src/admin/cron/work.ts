import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../access/find-repository.ts';
import { deleteUser } from '../../accounts/delete.ts';
import { now } from '../../clock.ts';
import { removeArchives } from '../../code/archives/remove.ts';
import type { Context } from '../../context.ts';
import { recordNotice } from '../../database/notices.ts';
import type { Feature } from '../../feature.ts';
import { createRepository as createFolder } from '../../git/create.ts';
import { HttpError } from '../../http/errors.ts';
import { deleteRepository } from '../../repositories/delete.ts';
import { countFindings } from '../../repositories/doctor/counts.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';
import { folderFindings, readyRepositories } from '../../repositories/doctor/folders.ts';
import { deleteOldNotices } from '../notices/notices.ts';

const BATCH = 100;

/** Scheduled tasks that belong to no single feature. */
export const maintenanceTasks = {
  repo_health_check: (context, signal) => report(context, folderFindings(context, { fsck: true, signal }), signal),
  check_repo_stats: (context, signal) => repair(context, countFindings(context), signal),
  git_gc_repos: maintainAll,
  sync_repo_licenses: (context) => forEach(context, 'repository.statistics'),
  delete_old_system_notices: (context) => deleteOldNotices(context),
  archive_cleanup: (context) => context.jobs.add(context, 'archives.expire', {}, { key: 'all' }),
  delete_repo_archives: deleteArchives,
  delete_inactive_accounts: deleteInactiveAccounts,
  reinit_missing_repos: async (context) => {
    for (const repository of await missingRepositories(context)) {
      const { path, objectFormat } = context.git.locate(repository);
      await createFolder(path, { objectFormat, defaultBranch: repository.default_branch });
    }
  },
  delete_missing_repos: async (context) => {
    for (const repository of await missingRepositories(context)) await deleteRepository(context, repository);
  },
} satisfies Feature['schedules'];

async function report({ db, log }: Context, findings: AsyncGenerator<Finding>, signal: AbortSignal): Promise<void> {
  for await (const { text } of findings) {
    signal.throwIfAborted();
    log.warn({ finding: text }, 'a repository is not as it should be');
    await recordNotice({ db, log }, { kind: 'repository', subject: 'repo_health_check', text });
  }
}

async function repair({ db, log }: Context, findings: AsyncGenerator<Finding>, signal: AbortSignal): Promise<void> {
  for await (const { text, fix } of findings) {
    signal.throwIfAborted();
    log.warn({ finding: text }, 'a count is repaired');
    await recordNotice({ db, log }, { kind: 'repository', subject: 'check_repo_stats', text });
    await fix?.();
  }
}

/** Queues the same job for every repository; the queue does a few at a time. */
async function forEach(context: Context, type: 'repository.statistics'): Promise<void> {
  for await (const { id } of readyRepositories(context)) await context.jobs.add(context, type, { repositoryId: id }, { key: String(id) });
}

/** Queues the full maintenance of every repository and wiki. */
async function maintainAll(context: Context): Promise<void> {
  for await (const repository of readyRepositories(context)) {
    const { id: repositoryId } = repository;
    await context.jobs.add(context, 'repository.maintain', { repositoryId, full: true }, { key: `${repositoryId} full` });
    if (!(await context.git.exists(context.git.locateWiki(repository)))) continue;
    await context.jobs.add(
      context,
      'repository.maintain',
      { repositoryId, full: true, isWiki: true },
      { key: `${repositoryId} wiki full` },
    );
  }
}

async function deleteArchives(context: Context): Promise<void> {
  for (;;) {
    const rows = await context.db.selectFrom('archives').select(['id', 'blob']).limit(BATCH).execute();
    await removeArchives(context, rows);
    if (rows.length < BATCH) return;
  }
}

/** Accounts that were never activated while that was possible, and own nothing. */
async function deleteInactiveAccounts(context: Context): Promise<void> {
  const before = now() - Math.ceil(context.settings.registration.activationLifetime / 1000);
  const users = await context.db
    .selectFrom('users')
    .selectAll()
    .where('type', '=', 'individual')
    .where('is_active', '=', false)
    .where('last_login_at', '=', 0)
    .where('created_at', '<', before)
    .execute();
  for (const user of users) {
    try {
      await deleteUser(context, user);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      context.log.info({ user: user.name, reason: error.message }, 'an inactive account stays');
    }
  }
}

/**
 * Repositories without a folder.
 * @throws Error when none has one: then the disk is not there, rather than the repositories; VolumeUnavailableError
 */
async function missingRepositories(context: Context): Promise<Repository[]> {
  for (const { name } of context.git.volumes.all) await context.git.volumes.requireAvailable(name);
  const missing: Repository[] = [];
  let present = 0;
  for await (const repository of readyRepositories(context)) {
    if (existsSync(join(context.git.locate(repository).path, 'HEAD'))) present++;
    else missing.push(repository);
  }
  if (missing.length > 0 && present === 0) throw new Error(`no repository has its folder under ${context.git.root}: nothing is changed`);
  return missing;
}
