import type { Generated } from 'kysely';
import type { Json } from './platform.ts';

/** What administrative and security-relevant acts there were. Rows refer to nothing: they outlive what they are about. */
export interface AuditEntriesTable {
  id: Generated<number>;
  created_at: number;
  /** See audit/actions.ts. */
  action: string;
  /** A part of it was committed, and then it failed. */
  is_failed: Generated<boolean>;
  /** How often, within the minute of `bucket`. */
  count: Generated<number>;
  /** What is counted in one row: failed sign-ins of a minute from one address. Null for what has a row of its own. */
  bucket: string | null;
  /** Null for nobody, and for the system. */
  actor_id: number | null;
  /** As it was then. */
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
  /** As it was then, such as `owner/name` of a repository. */
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
