import { HttpError } from '../http/errors.ts';

/** The result of a rule; undefined if it throws a 404. */
export async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}
