/** Seconds: a day of work has eight hours, a week five days. */
const UNITS: Record<string, number> = { m: 60, h: 3600, d: 8 * 3600, w: 5 * 8 * 3600 };
/** Nobody logs more than a year of work with one commit. */
const MAX_SECONDS = 52 * 5 * 8 * 3600;

/** Seconds of a time that a commit message logs, such as `1w2,5h`; 0 for an invalid one. */
export function loggedSeconds(text: string): number {
  if (!/^(?:\d{1,9}(?:[.,]\d{1,9})?[wdhm])+$/i.test(text)) return 0;
  let seconds = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/([\d.,]+)([wdhm])/gi)) {
    seconds += Math.trunc(Number(amount.replace(',', '.')) * (UNITS[unit.toLowerCase()] ?? 0));
  }
  return Math.min(seconds, MAX_SECONDS);
}
