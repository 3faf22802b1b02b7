import type { Insertable } from 'kysely';
import { now } from '../clock.ts';
import type { Context, SignIn } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { AuditEntriesTable } from '../database/tables/audit.ts';
import type { AuditAction, AuditMethod, AuditObject } from './actions.ts';
import { detailsJson } from './details.ts';

const MAX_NAME = 255;
const MAX_AGENT = 200;
/** Entries that one statement of the cleanup deletes. */
const BATCH = 1000;

/** Who acts, and from where. */
export interface Origin {
  readonly actor: { readonly id: number; readonly name: string } | null;
  readonly signIn: SignIn;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** The act. */
export interface Deed {
  readonly action: AuditAction;
  readonly object: AuditObject;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes an entry as part of the context's transaction. Returns its id. */
export async function writeEntry(context: Context, origin: Origin, deed: Deed): Promise<number> {
  const { id } = await context.db
    .insertInto('audit_entries')
    .values({ ...originColumns(context, origin), ...deedColumns(deed), created_at: now(), bucket: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The columns of who acted. */
export function originColumns({ processes }: Pick<Context, 'processes'>, { actor, signIn, address, userAgent, requestId }: Origin) {
  const name = actor?.name ?? '';
  return {
    actor_id: actor?.id ?? null,
    actor_name: name,
    actor_key: name.toLowerCase(),
    method: methodOf(signIn, processes.role),
    credential: (signIn.credential ?? '').slice(0, MAX_NAME),
    sudo_id: signIn.sudo?.id ?? null,
    sudo_name: signIn.sudo?.name ?? '',
    address,
    user_agent: userAgent.slice(0, MAX_AGENT),
    request_id: requestId,
  } satisfies Partial<Insertable<AuditEntriesTable>>;
}

/** The columns of the act. */
export function deedColumns({ action, object, details }: Deed) {
  const name = object.name.slice(0, MAX_NAME);
  return {
    action,
    object_type: object.type,
    object_id: object.id,
    object_name: name,
    object_key: `${object.type}:${name.toLowerCase()}`,
    owner_id: object.ownerId,
    details: detailsJson(details),
  } satisfies Partial<Insertable<AuditEntriesTable>>;
}

function methodOf({ method, job }: SignIn, role: 'server' | 'command'): AuditMethod {
  if (job) return 'job';
  if (method !== 'internal') return method;
  return role === 'command' ? 'command' : 'system';
}

/** Deletes the entries from before a time, oldest first and a part at a time. */
export async function deleteEntriesBefore(db: Db, seconds: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const old = db
      .selectFrom('audit_entries')
      .select('id')
      .where('created_at', '<', seconds)
      .orderBy('created_at')
      .orderBy('id')
      .limit(BATCH);
    const { numDeletedRows } = await db.deleteFrom('audit_entries').where('id', 'in', old).executeTakeFirst();
    if (numDeletedRows < BigInt(BATCH)) return;
  }
}
