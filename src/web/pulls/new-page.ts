import { findRepositories } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { canRead, notArchived, signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { isDraftTitle } from '../../issues/present.ts';
import { findBranches } from '../../pulls/branches.ts';
import { createPull, refuseSecond } from '../../pulls/create.ts';
import { pullsOn } from '../../pulls/requirements.ts';
import { CreatePullRequestOption } from '../../pulls/schema.ts';
import { refNames } from '../code/refs/name-lists.ts';
import { COMPOSER_SCRIPT, composer, composerBytes, mayUpload } from '../components/composer.ts';
import { fault } from '../components/fault.ts';
import { checkBox, field, postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { renderComment } from '../issues/render.ts';
import { type Reply, seeOther } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { firstText } from './first-text.ts';
import { chosenBeside, sideFields } from './new-side.ts';

/** Opening a pull request. `?base=` and `?head=` fill the form. */
export const newPullPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/pulls/new',
    needs: [...pullsOn, signedIn, notArchived],
    semaphore: 'renders',
    maxBytes: composerBytes,
    get: (visit, context) => form(visit, context),
    post: open,
  }),
  ...repositoryPage({ path: '/:owner/:repo/pulls/new/*', needs: [canRead('code')], get: compareBranch }),
];

/** Redirects the URL that git prints after a push to the comparison: for a fork, with the repository that it was forked from. */
async function compareBranch({ repository, params, view }: RepositoryVisit, context: Context): Promise<Reply> {
  const [parent] = repository.fork_id === null ? [] : await findRepositories(context.db, [repository.fork_id]);
  const base = parent && (await repositoryAccess(context, parent, context.actor)).canRead('pulls') ? parent : repository;
  const owner = base === repository ? '' : `${encodeURIComponent(repository.owner.name)}:`;
  const names = `${escapePath(base.default_branch)}...${owner}${escapePath(params['*'] ?? '')}`;
  return seeOther(context, repositoryPath(view, base, `compare/${names}`).slice(view.root.length));
}

async function open(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { repository, fields, view } = visit;
  if (fields.has('preview')) {
    const preview = await renderComment(context, visit, fields.get('body') ?? '');
    return form(visit, context, { preview });
  }
  try {
    const given = {
      base: fields.get('base') ?? '',
      head: fields.get('head')?.trim() ?? '',
      title: titleOf(visit, context),
      body: fields.get('body') ?? '',
    };
    const { base = '', head = '', title, body = '' } = bindValue(CreatePullRequestOption, given);
    const branches = await findBranches(context, repository, { base, head });
    const authorId = signedInActor(context).id;
    await refuseSecond(context, { ...branches, flow: 'branch', authorId });
    const pull = await createPull(context, {
      ...branches,
      flow: 'branch',
      title,
      body,
      ...(await chosenBeside(visit, context)),
      deadline: null,
      allowMaintainerEdit: repository.units.pulls?.defaultAllowMaintainerEdit ?? false,
      reviewerTeams: [],
    });
    return seeOther(context, repositoryPath(view, repository, `pulls/${pull.number}`).slice(view.root.length));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return form(visit, context, { problem: error });
  }
}

function titleOf({ fields }: RepositoryVisit, { settings }: Context): string {
  const title = fields.get('title')?.trim() ?? '';
  const prefixes = settings.pulls.workInProgressPrefixes;
  const isRequested = fields.get('draft') === 'on' && title !== '' && !isDraftTitle(prefixes, title);
  return isRequested ? `${prefixes[0] ?? 'WIP:'} ${title}` : title;
}

async function form(
  visit: RepositoryVisit,
  context: Context,
  again: { problem?: HttpError; preview?: Awaited<ReturnType<typeof renderComment>> } = {},
): Promise<Document> {
  const { view, repository, fields } = visit;
  const { pulls: text } = view.text;
  const [base, head] = [fields.get('base') ?? repository.default_branch, fields.get('head')?.trim() ?? ''];
  const first = fields.has('title') && fields.has('body') ? undefined : await firstText(visit, context, { base, head });
  const names = refNames(view, repository, ['branches']);
  return repositoryDocument(visit, context, {
    tab: 'pulls',
    title: text.open,
    scripts: [COMPOSER_SCRIPT],
    status: again.problem ? 422 : 200,
    body: html`<h2>${text.open}</h2><p class="muted">${text.openHint}</p>
${again.problem && fault(view, again.problem.message)}
${postForm(
  view,
  html`<div class="columns conversation"><div><div class="pull-branches">${field({ name: 'base', label: text.base, value: base, isRequired: true, maxLength: 255, autocomplete: 'off', names })}
${field({ name: 'head', label: text.head, value: head, isFirst: head === '', isRequired: true, hint: text.headHint, maxLength: 500, autocomplete: 'off', names })}</div>
${field({ name: 'title', label: text.title, value: fields.get('title') ?? first?.title, isFirst: head !== '', isRequired: true, maxLength: 255 })}
${composer(view, { name: 'body', label: text.description, value: fields.get('body') ?? first?.body ?? '', rows: 12, repository, draft: `${repositoryPath(view, repository)}/pulls/new`, files: mayUpload(context.settings, view), preview: again.preview })}
${checkBox({ name: 'draft', label: text.draft, isChecked: fields.get('draft') === 'on' })}
<button class="primary">${text.open}</button></div>
<aside class="side-bar">${await sideFields(visit, context)}</aside></div>`,
  { action: repositoryPath(view, repository, 'pulls/new') },
)}`,
  });
}
