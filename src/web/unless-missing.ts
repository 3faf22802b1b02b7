import { HttpError } from '../http/errors.ts';

/** What a rule gives; undefined where that is not there, or not for the caller. */
export async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}
