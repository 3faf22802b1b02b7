import { InvalidRefError, RefConflictError, RefLockedError, StaleRefError } from '../git/refs/update-refs.ts';
import { conflict, unprocessable } from '../http/errors.ts';

/**
 * Moves refs, and converts errors of git to errors of the API.
 * @throws HttpError 409 when somebody else was faster, holds the lock, or has a ref with a conflicting name; 422 for invalid
 * names
 */
export async function withRefErrors<T>(move: () => Promise<T>): Promise<T> {
  try {
    return await move();
  } catch (error) {
    if (error instanceof StaleRefError) throw conflict(`${error.ref} has moved meanwhile`);
    if (error instanceof RefLockedError) throw conflict('the repository is being changed by somebody else; try again');
    if (error instanceof RefConflictError) throw conflict(`${error.ref} cannot be made beside ${error.existing}`);
    if (error instanceof InvalidRefError) throw unprocessable(error.message);
    throw error;
  }
}
