import type { ActDeclaration } from './act.ts';
import type { AuditAction } from './actions.ts';

/** The acts of routes, by the id of the operation. */
export type Acts = Record<string, ActDeclaration>;

/** Of a handler that makes a transaction, whose first has the entry. */
export function act(action: ActDeclaration['action'], ...fields: readonly string[]): ActDeclaration {
  return { action, fields };
}

/** For a handler without its own transaction. */
export function row(action: AuditAction, ...fields: readonly string[]): ActDeclaration {
  return { action, fields, entry: 'with handler' };
}

/** For changes outside of the database. */
export function outside(action: AuditAction, ...fields: readonly string[]): ActDeclaration {
  return { action, fields, entry: 'before' };
}
