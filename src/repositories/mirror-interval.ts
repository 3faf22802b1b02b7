import type { HttpError } from '../http/errors.ts';
import type { Settings } from '../settings.ts';
import { formatGoDuration, InvalidDurationError, parseGoDuration } from '../text/go-duration.ts';

/** Maximum interval of a mirror, in seconds. */
const MAX_INTERVAL = 10 * 365 * 86_400;

/**
 * Parses the interval of a mirror.
 * @param refuse makes the error, from its message
 * @returns whole seconds; 0 for no scheduled updates
 * @throws HttpError for an invalid duration, and for one that is too short or too long
 */
export function readMirrorInterval({ mirrors }: Settings, text: string, refuse: (message: string) => HttpError): number {
  const seconds = parsed(text, refuse);
  const min = mirrors.minInterval / 1000;
  const written = formatGoDuration(seconds);
  if (seconds !== 0 && seconds < min)
    throw refuse(`invalid mirror interval: ${written} is below minimum interval: ${formatGoDuration(min)}`);
  if (seconds > MAX_INTERVAL)
    throw refuse(`invalid mirror interval: ${written} is above maximum interval: ${formatGoDuration(MAX_INTERVAL)}`);
  return Math.floor(seconds);
}

function parsed(text: string, refuse: (message: string) => HttpError): number {
  try {
    return parseGoDuration(text);
  } catch (error) {
    if (error instanceof InvalidDurationError) throw refuse(error.message);
    throw error;
  }
}
