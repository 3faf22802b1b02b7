import { randomBytes, randomUUID } from 'node:crypto';
import { actIsAbout } from '../../audit/about.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { refusal } from '../protocol/errors.ts';
import type { DeclareRequest, RegisterRequest } from '../protocol/messages.ts';
import type { ActionScope } from '../scope.ts';
import { inScope } from '../scope.ts';
import { findRegistrationToken, hashOf } from './registration-tokens.ts';

const MAX_NAME = 255;
const MAX_VERSION = 64;
const MAX_LABELS = 200;
const MAX_LABEL = 255;
/** Of one repository, one owner, or the instance. */
const MAX_RUNNERS = 10_000;

/** A runner's description in responses to itself. Its token is only in the response to its registration. */
interface RunnerInfo {
  id: bigint;
  uuid: string;
  token: string;
  name: string;
  version: string;
  labels: string[];
  ephemeral: boolean;
}

/**
 * Creates a runner where the registration token belongs.
 * @throws ProcedureError for an invalid token, and for missing or too long values
 */
export async function register(context: Context, message: RegisterRequest): Promise<{ runner: RunnerInfo }> {
  if (message.token === '' || message.name === '') throw refusal('InvalidArgument', 'missing runner token, name');
  const found = await findRegistrationToken(context, message.token);
  if (!found) throw refusal('Unauthenticated', 'runner registration token not found');
  if (!found.is_active) {
    throw refusal('Unauthenticated', 'runner registration token has been invalidated, please use the latest one');
  }
  await refuseMany(context, scopeOf(found));
  const token = randomBytes(20).toString('hex');
  const time = now();
  const values = {
    uuid: randomUUID(),
    owner_id: found.owner_id,
    repository_id: found.repository_id,
    name: shortened(clean(message.name)),
    version: clean(message.version).slice(0, MAX_VERSION),
    labels: JSON.stringify(checkedLabels(message.labels)),
    is_ephemeral: message.ephemeral,
    token_hash: hashOf(token),
    created_at: time,
    updated_at: time,
  };
  await actIsAbout(context, found);
  const row = await inTransaction(context, ({ db }) =>
    db.insertInto('action_runners').values(values).returningAll().executeTakeFirstOrThrow(),
  );
  return { runner: { ...infoOf(row), token, ephemeral: row.is_ephemeral } };
}

/** Stores the current capabilities of a runner. */
export async function declare(context: Context, { id }: ActionRunner, message: DeclareRequest): Promise<{ runner: RunnerInfo }> {
  const row = await context.db
    .updateTable('action_runners')
    .set({
      labels: JSON.stringify(checkedLabels(message.labels)),
      version: clean(message.version).slice(0, MAX_VERSION),
      updated_at: now(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw refusal('Unauthenticated', 'unregistered runner');
  return { runner: { ...infoOf(row), token: '', ephemeral: false } };
}

function infoOf({ id, uuid, name, version, labels }: ActionRunner) {
  return { id: BigInt(id), uuid, name, version, labels };
}

function scopeOf({ owner_id, repository_id }: Pick<ActionRunner, 'owner_id' | 'repository_id'>): ActionScope {
  if (repository_id !== null) return { repositoryId: repository_id };
  return owner_id === null ? { instance: true } : { ownerId: owner_id };
}

async function refuseMany({ db }: Context, scope: ActionScope): Promise<void> {
  const { count } = await db
    .selectFrom('action_runners')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where(inScope(scope))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_RUNNERS) throw refusal('ResourceExhausted', `there are at most ${MAX_RUNNERS} runners in one place`);
}

/** PostgreSQL keeps no NUL in a text. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= MAX_NAME ? name : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}

function checkedLabels(labels: readonly string[]): string[] {
  if (labels.length > MAX_LABELS) throw refusal('InvalidArgument', `labels: a runner has at most ${MAX_LABELS}`);
  if (labels.some((label) => label.length > MAX_LABEL)) throw refusal('InvalidArgument', `labels: one has at most ${MAX_LABEL} characters`);
  return labels.map(clean);
}
