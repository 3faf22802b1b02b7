import { Cron } from 'croner';
import { cronExpression } from '../../jobs/cron-expression.ts';
import { InvalidDurationError, parseGoDuration } from '../../text/go-duration.ts';

/** Length limit of a time in characters. */
const MAX_LENGTH = 200;

/**
 * The next time of `schedule`: five fields of a cron expression, a nickname such as `@daily`, or `@every 90m`; in UTC, unless
 * it begins with `CRON_TZ=Europe/Berlin` or similar. Null for an invalid one, or one without a next time.
 * @param after seconds
 * @returns seconds
 */
export function nextTime(spec: string, after: number): number | null {
  if (spec.length > MAX_LENGTH) return null;
  const [, timezone = 'UTC', rest = ''] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(spec.trim()) ?? [];
  const [, every] = /^@every\s+(\S+)$/.exec(rest) ?? [];
  try {
    if (every !== undefined) return after + Math.max(1, Math.floor(parseGoDuration(every)));
    const fields = rest.startsWith('@') ? cronExpression(rest) : rest;
    if (fields.trim().split(/\s+/).length !== 5) return null;
    const next = new Cron(fields, { paused: true, timezone, mode: '5-part' }).nextRun(new Date(after * 1000));
    return next ? Math.floor(next.getTime() / 1000) : null;
  } catch (error) {
    if (error instanceof InvalidDurationError || error instanceof Error) return null;
    throw error;
  }
}
