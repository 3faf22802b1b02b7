import { HttpError } from '../../../http/errors.ts';

/** What a check of our own rules says against a value; undefined where it lets it through. */
export function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}
