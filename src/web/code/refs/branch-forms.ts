import { canRead, canWrite, notArchived, signedIn } from '../../../access/requirements.ts';
import { createBranch, deleteBranch, renameBranch } from '../../../code/branches/change.ts';
import { restoreDeletedBranch } from '../../../code/branches/restore.ts';
import type { Context } from '../../../context.ts';
import { HttpError } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { seeOther } from '../../page.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { branchesPage } from './branches.ts';

/** The branches, and making, renaming, removing and restoring them. */
export const branchPages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/branches', needs: [canRead('code')], get: branchesPage }),
  ...form('', change),
  ...form('/restore', restore),
];

type Act = (visit: RepositoryVisit, context: Context) => Promise<void>;

/** A form below the page of the branches, which says what it could not do. */
function form(path: string, act: Act): AnyRoute[] {
  return repositoryPage({
    path: `/:owner/:repo/branches${path}`,
    needs: [canRead('code'), signedIn, canWrite('code'), notArchived],
    post: async (visit, context) => {
      try {
        await act(visit, context);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        return branchesPage(visit, context, error.message);
      }
      const { view, repository } = visit;
      return seeOther(context, repositoryPath(view, repository, 'branches').slice(view.root.length));
    },
  });
}

async function change({ repository, access, fields }: RepositoryVisit, context: Context): Promise<void> {
  const name = (fields.get('branch') ?? '').trim();
  const to = (fields.get('to') ?? '').trim();
  const action = fields.get('do');
  if (action === 'delete') await deleteBranch(context, repository, access, name);
  else if (action === 'rename') await renameBranch(context, repository, access, name, to);
  else
    await createBranch(context, repository, access, {
      new_branch_name: name,
      old_ref_name: fields.get('from')?.trim() || repository.default_branch,
    });
}

/** What is restored is in the form or, as clients of Gitea have it, in the query. */
async function restore({ repository, access, fields, request }: RepositoryVisit, context: Context): Promise<void> {
  const given = fields.get('branch_id') ?? new URL(request.url).searchParams.get('branch_id') ?? '';
  const id = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  await restoreDeletedBranch(context, repository, access, id);
}
