import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../http/errors.ts';
import { changingIssue, type Issue } from '../find.ts';
import { canDeleteVersion, findVersion, type Version } from './versions.ts';

/**
 * Deletes the text of a version permanently. The version itself, its author and its time stay.
 * @throws HttpError 404, and 403 without the right
 */
export async function deleteVersion(context: Context, access: RepositoryAccess, issue: Issue, id: number): Promise<Version> {
  return changingIssue(context, issue, async (context, issue) => {
    const found = await findVersion(context, issue, id);
    if (!canDeleteVersion(context, access, issue, found)) throw forbidden('Can not delete the content history');
    await context.db.updateTable('content_versions').set({ body: '', is_deleted: true }).where('id', '=', id).execute();
    return found;
  });
}
