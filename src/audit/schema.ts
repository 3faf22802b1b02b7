import { boolean, define, inline, int64, nullable, object, oneOf, string, timestamp } from '../http/schema.ts';
import { AUDIT_ACTIONS, AUDIT_METHODS, AUDIT_OBJECTS } from './actions.ts';

const account = () => nullable(inline({ id: int64(), login: string({ description: 'The name of that time.' }) }));

/** An entry of the audit log. */
export const AuditEntry = define('AuditEntry', {
  id: int64(),
  created: timestamp(),
  action: oneOf(AUDIT_ACTIONS),
  failed: boolean({ description: 'A part of it was done, and then it failed.' }),
  count: int64({ description: 'The number of times: failed sign-ins from one IP address within a minute are one entry.' }),
  actor: account(),
  method: oneOf(AUDIT_METHODS, { description: 'How the actor signed in; `system` is the server itself, `command` the command line.' }),
  credential: string({ description: 'The name of the token, application or key.' }),
  sudo: account(),
  address: string({ description: 'Empty where only administrators see it.' }),
  user_agent: string({ description: 'Empty where only administrators see it.' }),
  request_id: string(),
  object: inline({
    type: oneOf(AUDIT_OBJECTS),
    id: nullable(int64()),
    name: string({ description: 'Of that time, such as `owner/name` of a repository.' }),
  }),
  details: object({ description: 'The parameters of the request, without secrets.' }),
});
