/** The times that the pulse of a repository goes back, in their order. */
export const PERIODS = ['daily', 'halfweekly', 'weekly', 'monthly', 'quarterly', 'semiyearly', 'yearly'] as const;
export type Period = (typeof PERIODS)[number];

const HOUR = 3600;
const SPANS: Readonly<Record<Period, { hours: number } | { months: number }>> = {
  daily: { hours: 24 },
  halfweekly: { hours: 72 },
  weekly: { hours: 168 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  semiyearly: { months: 6 },
  yearly: { months: 12 },
};

/** When a period that ends now begins, in seconds. */
export function beginOf(period: Period, now: number): number {
  const span = SPANS[period];
  if ('hours' in span) return now - span.hours * HOUR;
  const start = new Date(now * 1000);
  const day = start.getUTCDate();
  start.setUTCMonth(start.getUTCMonth() - span.months);
  // A month before the 31st is the end of a shorter one.
  if (start.getUTCDate() !== day) start.setUTCDate(0);
  return Math.floor(start.getTime() / 1000);
}
