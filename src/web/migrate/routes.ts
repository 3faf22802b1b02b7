import { signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { MigrationState } from '../../database/tables/migrations.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { forbidden, HttpError, notFound } from '../../http/errors.ts';
import { raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { findMigrationTo, forgetMigration, type LoadedMigration, loadMigration } from '../../migrations/load.ts';
import { cancelMigration, retryMigration, startMigration } from '../../migrations/migrations.ts';
import { presentMigration } from '../../migrations/present.ts';
import { MigrateRepoOptions } from '../../migrations/schema.ts';
import { pageLoading, type Reply, seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { choosePage } from './choose-page.ts';
import { formPage } from './form-page.ts';
import { progressPage } from './progress-page.ts';
import { ITEMS, type ServiceForm, serviceForm } from './services.ts';

/** A page with `:owner/:repo` of a migration that the caller started. */
const migrationPage = pageLoading(loadMigration);
type MigrationVisit = Visit & LoadedMigration;

/** Clients of Gitea send these forms below `settings` as well. */
const ABOVE = ['-', 'settings'] as const;
/** The states by the numbers that clients of Gitea know. */
const STATUS: Readonly<Record<MigrationState, number>> = { waiting: 0, running: 1, cancelled: 2, failed: 3, finished: 4 };

/** Bringing over repositories from other servers. */
export const migrationPages: readonly AnyRoute[] = [
  ...plainPage({ path: '/repo/migrate', needs: [signedIn], get: form, post: start }),
  ...ABOVE.flatMap((above) => [
    ...migrationPage({ path: `/:owner/:repo/${above}/migrate/retry`, needs: [signedIn], post: retry }),
    ...migrationPage({ path: `/:owner/:repo/${above}/migrate/cancel`, needs: [signedIn], post: cancel }),
  ]),
  ...migrationPage({ path: '/:owner/:repo/-/migrate/status', needs: [signedIn], get: status }),
];

/** The page at the path of a repository that is being migrated, for the user who started it. */
export async function migrationInPlace(visit: Visit, context: Context): Promise<Reply | undefined> {
  const migration = await findMigrationTo(context, visit.params.owner ?? '', visit.params.repo ?? '');
  return migration && progressPage(visit, context, migration);
}

async function form(visit: Visit, context: Context): Promise<Reply> {
  requireEnabled(context);
  const chosen = serviceForm(visit.fields.get('service_type'));
  return chosen ? formPage(visit, context, chosen) : choosePage(visit);
}

async function start(visit: Visit, context: Context): Promise<Reply> {
  requireEnabled(context);
  const chosen = serviceForm(visit.fields.get('service'));
  if (!chosen) throw notFound();
  try {
    const migration = await startMigration(context, bindValue(MigrateRepoOptions, bodyOf(visit, chosen)));
    const { owner } = await presentMigration(context, migration);
    return seeOther(context, `${encodeURIComponent(owner)}/${encodeURIComponent(migration.name)}`);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return formPage(visit, context, chosen, error);
  }
}

function bodyOf({ fields }: Visit, { service, items }: ServiceForm): Record<string, unknown> {
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const isOn = (name: string) => fields.get(name) === 'on';
  const uid = text('uid');
  return {
    service,
    clone_addr: text('clone_addr'),
    repo_name: text('repo_name'),
    ...(/^\d{1,15}$/.test(uid) && { uid: Number(uid) }),
    description: text('description'),
    private: isOn('private'),
    auth_username: text('auth_username'),
    auth_password: fields.get('auth_password') ?? '',
    auth_token: text('auth_token'),
    aws_access_key_id: text('aws_access_key_id'),
    aws_secret_access_key: text('aws_secret_access_key'),
    mirror: isOn('mirror'),
    mirror_interval: text('mirror_interval'),
    lfs: isOn('lfs'),
    lfs_endpoint: isOn('lfs') ? text('lfs_endpoint') : '',
    ...Object.fromEntries(ITEMS.map((item) => [item, items.includes(item) && isOn(item)])),
  };
}

async function retry(visit: MigrationVisit, context: Context): Promise<Reply> {
  const { migration } = visit;
  try {
    await retryMigration(context, migration);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return progressPage(visit, context, migration, error);
  }
  return toPlace(visit, context);
}

/** Cancels a migration; if the form requests it, an ended one is deleted. */
async function cancel(visit: MigrationVisit, context: Context): Promise<Reply> {
  const { migration, fields } = visit;
  try {
    if (fields.get('do') === 'delete') {
      await forgetMigration(context, migration);
      return seeOther(context, 'repo/migrate');
    }
    // One that has ended in the meantime is shown.
    if (migration.ended_at === null) await cancelMigration(context, migration);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return progressPage(visit, context, migration, error);
  }
  return toPlace(visit, context);
}

async function status({ migration }: MigrationVisit, context: Context): Promise<Reply> {
  const { message } = await presentMigration(context, migration);
  const body = JSON.stringify({ status: STATUS[migration.state], message });
  return raw(body, 'application/json; charset=utf-8', { headers: { 'cache-control': 'no-store' } });
}

function toPlace({ params: { owner = '', repo = '' } }: MigrationVisit, context: Context): Reply {
  return seeOther(context, `${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`);
}

function requireEnabled({ settings }: Context): void {
  if (!settings.migrations.enabled) throw forbidden('the site administrator has disabled migrations');
}
