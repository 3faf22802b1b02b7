import type { OutgoingResponse } from '../../http/outgoing/outgoing.ts';

/** Where a server does not say how long it limits its requests, in milliseconds. */
const DEFAULT_DELAY = 60_000;

/**
 * How long to wait before a request that a server refused because there were too many: by `Retry-After` (seconds or a date), else by the
 * reset of its limit (`X-RateLimit-Reset` of GitHub, `RateLimit-Reset` of GitLab, in seconds since 1970).
 * @param time now, in milliseconds
 * @returns milliseconds; undefined if the refusal has another reason
 */
export function rateLimitDelay(
  { status, headers }: Pick<OutgoingResponse<unknown>, 'status' | 'headers'>,
  time: number,
): number | undefined {
  if (![403, 429, 503].includes(status)) return undefined;
  const header = (name: string) => String(headers[name] ?? '');
  const after = header('retry-after');
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1000;
  if (after !== '' && !Number.isNaN(Date.parse(after))) return Math.max(0, Date.parse(after) - time);
  if (status === 503) return undefined;
  const remaining = header('x-ratelimit-remaining') || header('ratelimit-remaining');
  if (status === 403 && remaining !== '0') return undefined;
  const reset = Number(header('x-ratelimit-reset') || header('ratelimit-reset'));
  // A second more: clocks differ.
  return reset > 0 ? Math.max(0, reset * 1000 - time) + 1000 : DEFAULT_DELAY;
}
