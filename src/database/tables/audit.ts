import type { Generated } from 'kysely';
import type { Json } from './platform.ts';

/** Administrative and security-relevant actions. Rows have no foreign keys: they outlive their objects. */
export interface AuditEntriesTable {
  id: Generated<number>;
  created_at: number;
  /** See audit/actions.ts. */
  action: string;
  /** A part of the action was committed before it failed. */
  is_failed: Generated<boolean>;
  /** The number of times within the minute of `bucket`. */
  count: Generated<number>;
  /** Groups what is counted in one row: failed sign-ins of a minute from one IP address. Null for actions with a row of their own. */
  bucket: string | null;
  /** Null for anonymous callers, and for the system. */
  actor_id: number | null;
  /** The name at that time. */
  actor_name: Generated<string>;
  /** In lower case. */
  actor_key: Generated<string>;
  /** How the actor signed in, see `AuditMethod` in audit/actions.ts. */
  method: string;
  /** The name of the token, application or key. */
  credential: Generated<string>;
  /** The administrator who acted as the actor. */
  sudo_id: number | null;
  sudo_name: Generated<string>;
  address: Generated<string>;
  user_agent: Generated<string>;
  request_id: Generated<string>;
  /** See `AuditObjectType` in audit/actions.ts. */
  object_type: string;
  object_id: number | null;
  /** The name at that time, such as `owner/name` of a repository. */
  object_name: Generated<string>;
  /** `type:name` in lower case. */
  object_key: Generated<string>;
  /** The account that the object belongs to. */
  owner_id: number | null;
  details: Json<Record<string, unknown>>;
}

export interface AuditTables {
  audit_entries: AuditEntriesTable;
}
