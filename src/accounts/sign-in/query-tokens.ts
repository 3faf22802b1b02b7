import type { Services } from '../../context.ts';
import type { Logger } from '../../log.ts';

const told = new WeakSet<Logger>();

/** Logs once why tokens in the query do not sign in; clients get the same 401 as without a token. */
export function warnOfQueryToken({ log }: Pick<Services, 'log'>): void {
  if (told.has(log)) return;
  told.add(log);
  log.warn(
    'a request has its token in the query, which does not sign in: send it in the Authorization header, or set COPSE_ACCESS_QUERY_TOKENS=true (access.queryTokens)',
  );
}
