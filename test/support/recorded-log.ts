import { createLogger, type Logger } from '../../src/log.ts';
import { testSettings } from './settings.ts';

/** A log whose lines are kept, as objects. */
export function recordedLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger(testSettings().log, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}
