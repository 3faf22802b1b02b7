/** A time of the API in seconds; the year 1, and the epoch, mean none. */
export function deadlineSeconds(text: string | undefined): number | null {
  if (text === undefined || text.startsWith('0001-01-01T00:00:00')) return null;
  return Math.floor(Date.parse(text) / 1000) || null;
}

/**
 * The last second of the day of a time in the API.
 * @param zone where the day ends: at the time's own offset, where the epoch is a day like others, or in UTC
 */
export function endOfDay(text: string | undefined, zone: 'own' | 'utc'): number | null {
  if (text === undefined || (deadlineSeconds(text) === null && (zone === 'utc' || text.startsWith('0001-')))) return null;
  const [, date, offset = 'Z'] = /^(\d{4}-\d\d-\d\d)T.*?(Z|z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  return Math.floor(Date.parse(`${date}T23:59:59${zone === 'utc' ? 'Z' : offset.toUpperCase()}`) / 1000);
}

/** The day of a due date in the timeline: `2030-01-02`. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
