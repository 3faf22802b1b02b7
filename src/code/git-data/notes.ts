import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type Note, readNote } from '../../git/history/notes.ts';
import { isValidRefName } from '../../git/refs/ref-names.ts';
import { resolveObject } from '../../git/refs/revisions.ts';
import { isObjectId } from '../../git/repository.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { missingObject, wholeId } from '../revision.ts';

/**
 * The note on the commit of a revision.
 * @throws HttpError 422 for an invalid revision; 404 if there is no such commit or no note on it
 */
export async function getNote(context: Context, repository: Repository, given: string): Promise<Note> {
  if (!isValidRefName(given)) throw unprocessable(`no valid ref or sha: ${given}`);
  const located = context.git.locate(repository);
  const isId = isObjectId(wholeId(given), located.objectFormat);
  const oid = isId ? wholeId(given) : await resolveObject(located, context.git.pool, given);
  if (oid === undefined) throw notFound([missingObject(given)]);
  const note = await readNote(located, context.git.pool, oid);
  if (!note) throw notFound(null, `commit doesn't exist: ${given}`);
  return note;
}
