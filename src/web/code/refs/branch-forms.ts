import { canRead, canWrite, notArchived, signedIn } from '../../../access/requirements.ts';
import { createBranch, deleteBranch, renameBranch } from '../../../code/branches/change.ts';
import { restoreDeletedBranch } from '../../../code/branches/restore.ts';
import { cleanPath } from '../../../code/contents/contents.ts';
import { createTag } from '../../../code/tags/change.ts';
import type { Context } from '../../../context.ts';
import { HttpError } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { seeOther } from '../../page.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { codePath, findLocation, type RefKind } from '../location.ts';
import { branchesPage } from './branches.ts';

/** The branches, and creating, renaming, deleting and restoring them. */
export const branchPages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/branches', needs: [canRead('code')], get: branchesPage }),
  ...form('', create),
  ...form('/_new/:kind(^branch|tag|commit$)/*', createAt),
  ...form('/delete', async (visit, context) => deleteBranch(context, visit.repository, visit.access, sent(visit, 'name'))),
  ...form('/rename', async (visit, context) =>
    renameBranch(context, visit.repository, visit.access, sent(visit, 'from'), sent(visit, 'to')),
  ),
  ...form('/restore', restore),
];

/** Runs the action of a form and redirects to the path that it returns, by default the page of the branches. */
type Act = (visit: RepositoryVisit, context: Context) => Promise<unknown>;

/** A form below the page of the branches, which shows its error. */
function form(path: string, act: Act): AnyRoute[] {
  return repositoryPage({
    path: `/:owner/:repo/branches${path}`,
    needs: [canRead('code'), signedIn, canWrite('code'), notArchived],
    post: async (visit, context) => {
      const { view, repository } = visit;
      try {
        const target = await act(visit, context);
        const path = typeof target === 'string' ? target : repositoryPath(view, repository, 'branches');
        return seeOther(context, path.slice(view.root.length));
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        return branchesPage(visit, context, error.message);
      }
    },
  });
}

/** The values of the form or, as sent by clients of Gitea, of the query. */
function sent({ fields, request }: RepositoryVisit, name: string): string {
  return (fields.get(name) ?? new URL(request.url).searchParams.get(name) ?? '').trim();
}

async function create(visit: RepositoryVisit, context: Context): Promise<void> {
  const { repository, access } = visit;
  const from = sent(visit, 'from') || repository.default_branch;
  await createBranch(context, repository, access, { new_branch_name: sent(visit, 'branch'), old_ref_name: from });
}

/** Creates a branch or, with `create_tag`, a tag of the revision in the path, and redirects to it. */
async function createAt(visit: RepositoryVisit, context: Context): Promise<string> {
  const { view, repository, access, params, request } = visit;
  const at = await findLocation(context, repository, { kind: params.kind as RefKind, rest: params['*'] ?? '', url: request.url });
  const name = sent(visit, 'new_branch_name');
  if (['true', 'on', '1'].includes(sent(visit, 'create_tag'))) {
    await createTag(context, repository, access, { name, target: at.commit.oid });
    return codePath(view, 'src', { repository, kind: 'tag', name, path: '' });
  }
  await createBranch(context, repository, access, { new_branch_name: name, old_ref_name: at.commit.oid });
  const path = cleanPath(sent(visit, 'current_path')) ?? '';
  return codePath(view, 'src', { repository, kind: 'branch', name, path });
}

async function restore(visit: RepositoryVisit, context: Context): Promise<void> {
  const given = sent(visit, 'branch_id');
  const id = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  await restoreDeletedBranch(context, visit.repository, visit.access, id);
}
