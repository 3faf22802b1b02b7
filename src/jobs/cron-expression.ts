const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@every 1m': '* * * * *',
  '@every 60m': '0 * * * *',
  '@every 1h': '0 * * * *',
  '@every 24h': '0 0 * * *',
};

/**
 * The five fields of a schedule. Schedules are shown as written, also as nicknames: `@midnight`, or `@every 10m` for a part of an hour or a
 * day, counted from its beginning so that several processes use the same minutes.
 */
export function cronExpression(schedule: string): string {
  const [, count, unit] = /^@every (\d+)([mh])$/.exec(schedule) ?? [];
  return NICKNAMES[schedule] ?? (unit === 'm' ? `*/${count} * * * *` : unit === 'h' ? `0 */${count} * * *` : schedule);
}
