import { unprocessable } from './errors.ts';
import { query } from './route.ts';
import { parseTimestamp, TimestampError } from './timestamp.ts';

/** `since` and `before` of lists by time. */
export const timeRangeQuery = {
  since: query.string('only what changed at this time or later (RFC 3339)', { format: 'date-time' }),
  before: query.string('only what changed at this time or earlier (RFC 3339)', { format: 'date-time' }),
};

/** A range of time in seconds, both ends included; undefined for an open end. */
export interface TimeRange {
  since: number | undefined;
  before: number | undefined;
}

/**
 * Reads {@link timeRangeQuery}.
 * @throws HttpError 422 for an invalid time
 */
export function readTimeRange({ since, before }: { since?: string | undefined; before?: string | undefined }): TimeRange {
  return { before: readTime(before), since: readTime(since) };
}

/**
 * Reads a time; undefined for none, which the year 1 and the epoch also mean.
 * @param refusal makes the error for an invalid time
 */
export function readTime(given: string | undefined, refusal: (message: string) => Error = unprocessable): number | undefined {
  const text = given?.trim() ?? '';
  if (text === '') return undefined;
  // The year 1, and the epoch, mean no time.
  if (text.startsWith('0001-01-01T00:00:00')) return undefined;
  try {
    return parseTimestamp(text) || undefined;
  } catch (error) {
    throw error instanceof TimestampError ? refusal(error.message) : error;
  }
}
