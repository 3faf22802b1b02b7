import type { Selectable } from 'kysely';
import { findUser } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import type { AuditEntriesTable } from '../database/tables/audit.ts';
import { unprocessable } from '../http/errors.ts';
import type { Page } from '../http/paging.ts';
import { wireTime } from '../http/schema.ts';
import { AUDIT_ACTIONS, AUDIT_OBJECTS } from './actions.ts';

/** The filters of a list of entries, combined with AND. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly object?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly request_id?: string | undefined;
}

type AuditEntryRow = Selectable<AuditEntriesTable>;

/** More are not counted. */
const MAX_COUNT = 10_000;

/**
 * A page of the entries, latest first, and how many there are, up to 10,000.
 * @param ownerId only entries about this account and what belongs to it
 * @throws HttpError 422 for an unknown action or object type, and for an invalid time
 */
export async function listEntries(
  context: Context,
  filter: AuditFilter,
  { limit, offset }: Page,
  ownerId?: number,
): Promise<{ rows: AuditEntryRow[]; total: number }> {
  let query = context.db.selectFrom('audit_entries');
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
  if (filter.actor) {
    const name = filter.actor.toLowerCase();
    // An account that was renamed has entries under its former name too.
    const user = await findUser(context.db, name);
    query = query.where((where) =>
      user ? where.or([where('actor_id', '=', user.id), where('actor_key', '=', name)]) : where('actor_key', '=', name),
    );
  }
  if (filter.action) query = query.where('action', '=', oneOf('action', AUDIT_ACTIONS, filter.action));
  if (filter.object) {
    const { type, name } = readObject(filter.object);
    const isId = /^\d{1,15}$/.test(name);
    query = isId
      ? query.where('object_type', '=', type).where('object_id', '=', Number(name))
      : query.where('object_key', '=', `${type}:${name.toLowerCase()}`);
  }
  if (filter.request_id) query = query.where('request_id', '=', filter.request_id);
  if (filter.since) query = query.where('created_at', '>=', seconds('since', filter.since));
  if (filter.until) query = query.where('created_at', '<', seconds('until', filter.until));
  const rows = await query.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  const counted = query.select('id').limit(MAX_COUNT).as('counted');
  const { count } = await context.db
    .selectFrom(counted)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(count) };
}

function oneOf(field: string, values: readonly string[], value: string): string {
  if (!values.includes(value)) throw unprocessable(`${field} is none of ${values.join(', ')}`);
  return value;
}

function readObject(value: string): { type: string; name: string } {
  const [, type = '', name = ''] = /^([a-z]+)(?::(.*))?$/s.exec(value) ?? [];
  return { type: oneOf('object', AUDIT_OBJECTS, type), name };
}

function seconds(field: string, value: string): number {
  const time = Date.parse(value);
  if (!Number.isFinite(time)) throw unprocessable(`${field} is not a time such as 2026-01-31T12:00:00Z`);
  return Math.floor(time / 1000);
}

/** An entry on the wire. @param withOrigin with addresses, clients and the names of tokens, only for administrators */
export function presentEntry(row: AuditEntryRow, withOrigin: boolean) {
  const { id, action, count, method, request_id } = row;
  return {
    id,
    created: wireTime(row.created_at),
    action,
    failed: row.is_failed,
    count,
    actor: row.actor_id === null ? null : { id: row.actor_id, login: row.actor_name },
    method,
    credential: withOrigin ? row.credential : '',
    sudo: row.sudo_id === null ? null : { id: row.sudo_id, login: row.sudo_name },
    address: withOrigin ? row.address : '',
    user_agent: withOrigin ? row.user_agent : '',
    request_id,
    object: { type: row.object_type, id: row.object_id, name: row.object_name },
    details: row.details,
  };
}
