import { compare } from '../../../code/compare/compare.ts';
import { escapePath } from '../../../code/escape-path.ts';
import type { Context } from '../../../context.ts';
import { parseComparison } from '../../../git/history/compare.ts';
import { field } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { View } from '../../view.ts';
import { commitRows } from '../commit/summary.ts';
import { diffStyle, diffView } from '../diff/diff-view.ts';
import type { DiffOptions } from '../diff/options.ts';
import { type Diff, diffQuery, openDiff } from '../diff/source.ts';

/** Commits that the page lists above the diff. */
const MAX_COMMITS = 100;
const MAX_REF = 400;

/** The comparison of two revisions: `base...head`; the head may be in a fork. */
export async function comparisonPage(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { view, repository, params, fields } = visit;
  const given = params['*'] ?? '';
  const only = onlyRevision(given);
  if (only)
    return seeOther(context, `${encodeURIComponent(repository.owner.name)}/${encodeURIComponent(repository.name)}/commits/commit/${only}`);
  const found = await compare(context, repository, given);
  const base = { repository, commit: found.mergeBase ?? found.baseId };
  const head = { repository: found.head, commit: found.headId };
  const diff = await openDiff(context, { base, head }, diffQuery(fields));
  const commits = await commitRows(visit, context, found.head, found.commits.slice(0, MAX_COMMITS));
  const names = namesOf(visit, given);
  const list = html`${found.total > MAX_COMMITS && html`<p class="muted">${view.text.commits.listed(MAX_COMMITS, found.total)}</p>`}${commits}`;
  const above = html`<h2>${view.text.commits.compareTitle}</h2>${form(view, visit, names)}
<div class="row"><h2>${view.text.common.commits(found.total)}</h2>${found.total > 0 && openLink(visit, names)}</div>
${found.total > 0 ? list : html`<p class="muted">${view.text.commits.nothingAhead(names.base, names.head)}</p>`}`;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: `${names.base}...${names.head}`,
    layout: 'wide',
    scripts: ['diff.js'],
    body: body(visit, context, above, diff, { style: await diffStyle(visit, context) }),
  });
}

/** For a created or deleted branch, the comparison of its push has the zero id on one side: redirects to the commit on the other. */
function onlyRevision(given: string): string | undefined {
  const [, from, to] = /^([0-9a-f]{40,64})\.{2,3}([0-9a-f]{40,64})$/.exec(given) ?? [];
  const [made, deleted] = [/^0+$/.test(from ?? ''), /^0+$/.test(to ?? '')];
  return made === deleted ? undefined : made ? to : from;
}

/** The link to a new pull request, if the repository accepts them. */
function openLink({ view, repository, access }: RepositoryVisit, names: { base: string; head: string }): Html | false {
  if (!view.user || !access.canRead('pulls') || repository.is_archived) return false;
  const query = new URLSearchParams({ base: names.base, head: names.head });
  return html`<a class="button primary push" href="${repositoryPath(view, repository, 'pulls/new')}?${query.toString()}">${view.text.pulls.newPull}</a>`;
}

async function* body({ view }: RepositoryVisit, context: Context, above: Html, diff: Diff, options: DiffOptions): AsyncGenerator<Html> {
  yield above;
  yield* diffView(view, context, diff, options);
}

/** The form that chooses the revisions, and its redirect. */
export async function compareFormPage(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { view, fields, repository } = visit;
  const { owner, name, default_branch: main } = repository;
  const base = (fields.get('base') ?? '').trim().slice(0, MAX_REF);
  const head = (fields.get('head') ?? '').trim().slice(0, MAX_REF);
  if (base !== '' && head !== '') {
    const names = `${escapePath(base)}...${escapePath(head).replaceAll('%3A', ':')}`;
    return seeOther(context, `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}/compare/${names}`);
  }
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: view.text.commits.compareTitle,
    body: html`<h2>${view.text.commits.compareTitle}</h2>${form(view, visit, { base: base || main, head })}`,
  });
}

interface Names {
  readonly base: string;
  readonly head: string;
}

function namesOf({ repository }: RepositoryVisit, given: string): Names {
  const { base, head, headOwner, headRepository } = parseComparison(given);
  const owner = headRepository === '' ? headOwner : `${headOwner}/${headRepository}`;
  const name = head || repository.default_branch;
  return { base: base || repository.default_branch, head: owner === '' ? name : `${owner}:${name}` };
}

function form(view: View, { repository }: RepositoryVisit, { base, head }: Names): Html {
  const { text } = view;
  return html`<form class="compare-form" action="${repositoryPath(view, repository, 'compare')}">
${field({ name: 'base', label: text.commits.base, value: base, isRequired: true, maxLength: MAX_REF })}
${field({ name: 'head', label: text.commits.head, value: head, isRequired: true, maxLength: MAX_REF, hint: text.commits.compareHint })}
<button>${text.commits.compare}</button></form>`;
}
