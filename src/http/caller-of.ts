import type { IncomingMessage } from 'node:http';

type Account = { readonly id: number; readonly name: string };

const callers = new WeakMap<IncomingMessage, Account>();

/** Notes who made a request, for the access log; null for nobody. */
export function noteCaller(request: IncomingMessage, account: Account | null): void {
  if (account) callers.set(request, { id: account.id, name: account.name });
}

/** Who made a request, as far as that was found out. */
export function callerOf(request: IncomingMessage): Account | null {
  return callers.get(request) ?? null;
}
