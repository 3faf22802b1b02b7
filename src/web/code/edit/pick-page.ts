import { listBranches } from '../../../code/branches/branches.ts';
import { getCommit } from '../../../code/commits/commits.ts';
import { pickContents } from '../../../code/contents/change.ts';
import type { Context } from '../../../context.ts';
import { type Commit, summary } from '../../../git/objects/commits.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { postForm } from '../../components/form.ts';
import { menu } from '../../components/menu.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { commitLink } from '../tree.ts';
import { afterCommit, commit } from './commit.ts';
import { type CommitInput, commitFields, initialInput, readInput } from './commit-fields.ts';
import { editDocument, editorPage, formButtons, orAgain } from './frame.ts';
import { editPath, type WritableLocation } from './location.ts';

/** Branches that the menu lists. */
const MAX_BRANCHES = 50;

/** Cherry-picking a commit to a branch, or reverting it there: `?revert=true`, or `?cherry-pick-type=revert`. */
export const pickPages: readonly AnyRoute[] = editorPage('_cherrypick/:sha(^[0-9a-f]{7,64}$)', {
  show: async (visit, context, location) => {
    const picked = await pickedCommit(visit, context);
    return form(visit, context, location, { picked, input: initialInput(location, messageFor(picked, isRevert(visit))) });
  },
  send: async (visit, context, location) => {
    const picked = await pickedCommit(visit, context);
    const input = readInput(visit.fields);
    const revert = isRevert(visit);
    return orAgain(
      async () => {
        const made = await commit(
          visit,
          context,
          location,
          { input, message: messageFor(picked, revert), needed: picked.oid },
          (repository, access, target) => pickContents(context, repository, access, target, { commit: picked, revert }),
        );
        return afterCommit(visit, context, location, made, '');
      },
      (problem) => form(visit, context, location, { picked, input, problem }),
    );
  },
});

async function pickedCommit({ repository, params }: RepositoryVisit, context: Context): Promise<Commit> {
  return getCommit(context, repository, params.sha ?? '');
}

function isRevert({ fields, request }: RepositoryVisit): boolean {
  const query = new URL(request.url).searchParams;
  return [fields.get('revert'), query.get('revert')].includes('true') || query.get('cherry-pick-type') === 'revert';
}

function messageFor({ oid, message }: Commit, revert: boolean): string {
  return revert ? `Revert "${summary(message)}"\n\nThis reverts commit ${oid}.` : `${message.trim()}\n\n(cherry picked from commit ${oid})`;
}

async function form(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  { picked, input, problem }: { picked: Commit; input: CommitInput; problem?: string },
): Promise<Document> {
  const { view, repository } = visit;
  const { edit: text } = view.text;
  const revert = isRevert(visit);
  const body = html`<p>${revert ? text.reverts : text.picks} ${commitLink(view, { repository }, picked)} <code>${picked.oid.slice(0, 10)}</code></p>
<div class="field row"><span>${text.toBranch}</span> ${await branchMenu(visit, context, location, picked.oid)}</div>
<input type="hidden" name="revert" value="${String(revert)}">
${await commitFields(visit, context, location, input, messageFor(picked, revert).split('\n', 1)[0] ?? '')}
${formButtons(visit, revert ? text.revert : text.pick, repositoryPath(view, repository, `commit/${picked.oid}`))}`;
  return editDocument(
    visit,
    context,
    { ...location, path: '' },
    {
      title: revert ? text.revert : text.pick,
      problem,
      body: postForm(view, body, { className: 'edit-form' }),
    },
  );
}

async function branchMenu({ view, repository }: RepositoryVisit, context: Context, location: WritableLocation, sha: string): Promise<Html> {
  const branches = await listBranches(context, repository);
  const query = view.here.replace(/^[^?]*/, '');
  const link = (branch: string) => `${editPath(view, `_cherrypick/${sha}`, { repository, branch, path: '' })}${query}`;
  return menu(
    html`${icon(view, 'git-branch')} <span class="ref-name">${location.branch}</span>`,
    branches
      .slice(0, MAX_BRANCHES)
      .map(({ name }) => html`<a href="${link(name)}"${name === location.branch && html` aria-current="true"`}>${name}</a>`),
    { className: 'left' },
  );
}
