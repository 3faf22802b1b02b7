import type { IncomingMessage } from 'node:http';

type Account = { readonly id: number; readonly name: string };

/** On the request itself: a WeakMap keeps a megabyte for its entries, of which it has thousands until memory is collected. */
const CALLER = Symbol('caller');

type Noted = IncomingMessage & { [CALLER]?: Account };

/** Records the caller of a request for the access log; null for an anonymous one. */
export function noteCaller(request: Noted, account: Account | null): void {
  if (account) request[CALLER] = { id: account.id, name: account.name };
}

/** The caller of a request, as far as known. */
export function callerOf(request: Noted): Account | null {
  return request[CALLER] ?? null;
}
