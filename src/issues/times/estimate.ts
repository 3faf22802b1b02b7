import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { changingIssue, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';
import { MAX_SECONDS } from './times.ts';

const SECONDS = { h: 3600, m: 60, s: 1 } as const;
const ESTIMATE = /^(?:\d{1,10}\s*[hms]\s*)+$/i;
const MAX_LENGTH = 100;

/**
 * The seconds of an estimate such as `1h 30m`; 0 for an empty text.
 * @throws HttpError 422
 */
export function parseEstimate(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  if (trimmed.length > MAX_LENGTH || !ESTIMATE.test(trimmed))
    throw unprocessable('[TimeEstimate]: hours, minutes and seconds, as in 1h 30m');
  const seconds = [...trimmed.toLowerCase().matchAll(/(\d+)\s*([hms])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * SECONDS[unit as keyof typeof SECONDS],
    0,
  );
  if (seconds > MAX_SECONDS) throw unprocessable(`[TimeEstimate]: more than ${MAX_SECONDS} seconds`);
  return seconds;
}

/** An estimate in words: `1h 30m`; empty for none. */
export function estimateInWords(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3600)}h`, `${Math.floor(seconds / 60) % 60}m`, `${seconds % 60}s`];
  return parts.filter((part) => !/^0\w/.test(part)).join(' ');
}

/** Changes the time estimate of an issue. @param seconds 0 for no estimate */
export async function changeEstimate(context: Context, issue: Issue, seconds: number): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    if (issue.time_estimate === seconds) return;
    await context.db.updateTable('issues').set({ time_estimate: seconds }).where('id', '=', issue.id).execute();
    await addEvent(context, issue, 'change_time_estimate', { body: estimateInWords(seconds) });
  });
}
