import { HttpError } from '../../../http/errors.ts';

/** The message of a check of our rules against a value; undefined if it passes. */
export function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}
