import type { IncomingMessage } from 'node:http';

type Account = { readonly id: number; readonly name: string };

const callers = new WeakMap<IncomingMessage, Account>();

/** Records the caller of a request for the access log; null for an anonymous one. */
export function noteCaller(request: IncomingMessage, account: Account | null): void {
  if (account) callers.set(request, { id: account.id, name: account.name });
}

/** The caller of a request, as far as known. */
export function callerOf(request: IncomingMessage): Account | null {
  return callers.get(request) ?? null;
}
