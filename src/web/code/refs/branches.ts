import { listBranches, withCommits } from '../../../code/branches/branches.ts';
import type { Branch } from '../../../code/branches/present.ts';
import { protectionSummaries } from '../../../code/branches/protected.ts';
import { escapePath } from '../../../code/escape-path.ts';
import type { Context } from '../../../context.ts';
import { aheadBehind } from '../../../git/history/log.ts';
import { readPage } from '../../../http/paging.ts';
import { fault } from '../../components/fault.ts';
import { actionButton, field, postForm } from '../../components/form.ts';
import { menu } from '../../components/menu.ts';
import { timeAgo } from '../../components/numbers.ts';
import { pageLinks } from '../../components/pages.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';

import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, type View } from '../../view.ts';
import { codePath } from '../location.ts';
import { commitLink } from '../tree.ts';
import { deletedPart } from './deleted.ts';

const PAGE_SIZE = 20;
const MAX_NAME = 250;

/** The branches; users with write access can create, rename, delete and restore them. @param failed the error of a form */
export async function branchesPage(visit: RepositoryVisit, context: Context, failed?: string): Promise<Document> {
  const { view, repository, access, fields } = visit;
  const { text } = view;
  const query = (fields.get('q') ?? '').slice(0, MAX_NAME);
  const all = repository.is_empty ? [] : await listBranches(context, repository);
  const tip = all.find(({ name }) => name === repository.default_branch);
  const others = all.filter(({ name }) => name !== tip?.name && name.toLowerCase().includes(query.toLowerCase()));
  const page = readPage({ page: Number(fields.get('page')) }, { defaultSize: PAGE_SIZE, maxSize: PAGE_SIZE });
  const canChange = context.actor !== null && access.canWrite('code') && !repository.is_archived && !repository.is_mirror;
  const [main] = tip ? await withCommits(context, repository, [tip]) : [];
  const listed = await withCommits(context, repository, others.slice(page.offset, page.offset + page.limit));
  const protectionOf = await protectionSummaries(context, repository, access, main ? [main, ...listed] : listed);
  const row = (branch: Branch) =>
    branchRow(visit, context, branch, { main, canChange, isProtected: protectionOf(branch.name) !== undefined });
  const shown: Html[] = [];
  for (const branch of listed) shown.push(await row(branch));
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.code.branches,
    ...(failed !== undefined && { status: 422 }),
    body: html`<div class="row code-bar"><h2 class="bar-title">${text.code.branches}</h2><a href="${repositoryPath(view, repository, 'tags')}">${text.code.tags}</a>
<form role="search" aria-label="${text.refs.filter}" class="push search-form"><input type="search" name="q" value="${query}" aria-label="${text.refs.filter}" placeholder="${text.refs.filter}"></form></div>
${failed !== undefined && fault(view, failed)}
${canChange && main && newBranch(view, visit, failed === undefined ? '' : (fields.get('branch') ?? ''))}
${main && html`<h3>${text.refs.defaultBranch}</h3><ul class="rows box">${await row(main)}</ul>`}
<h3>${text.refs.otherBranches(others.length)}</h3>
${shown.length > 0 ? html`<ul class="rows box">${shown}</ul>` : html`<p class="empty">${query === '' ? text.refs.noOtherBranches : text.refs.noneFound}</p>`}
${pageLinks(view, { ...page, total: others.length })}
${canChange && (await deletedPart(visit, context, query))}`,
  });
}

function newBranch(view: View, { repository, fields }: RepositoryVisit, name: string): Html {
  const { text } = view;
  const form = html`${field({ name: 'branch', label: text.refs.newName, value: name, isRequired: true, maxLength: MAX_NAME })}
${field({ name: 'from', label: text.refs.from, value: fields.get('from') ?? repository.default_branch, maxLength: MAX_NAME })}
<button class="primary">${text.refs.createBranch}</button>`;
  return html`<details class="new-ref"${(name !== '' || fields.has('from')) && html` open`}><summary>${icon(view, 'plus')} ${text.refs.newBranch}</summary>
${postForm(view, form, { action: repositoryPath(view, repository, 'branches'), className: 'compare-form' })}</details>`;
}

interface RowOptions {
  readonly main: Branch | undefined;
  readonly canChange: boolean;
  readonly isProtected: boolean;
}

async function branchRow(visit: RepositoryVisit, context: Context, { name, commit }: Branch, options: RowOptions): Promise<Html> {
  const { view, repository } = visit;
  const { text } = view;
  const { main, canChange, isProtected } = options;
  const isMain = name === main?.name;
  const apart = main && !isMain && (await aheadBehind(context.git.locate(repository), context.git.pool, main.commit.oid, commit.oid));
  const compare = repositoryPath(view, repository, `compare/${encoded(repository.default_branch)}...${encoded(name)}`);
  return html`<li><div class="commit-line"><div class="commit-title"><a href="${codePath(view, 'src', { repository, kind: 'branch', name, path: '' })}">${name}</a>
${isProtected && html`<span class="badge">${icon(view, 'shield')} ${text.refs.protected}</span>`}</div>
<div class="muted">${commitLink(view, { repository }, commit)} · ${timeAgo(view, commit.committer.seconds)}</div></div>
<span class="push row">${apart && html`<a href="${compare}" title="${text.refs.apart(apart.ahead, apart.behind)}">${apart.behind} ↓ ${apart.ahead} ↑</a>`}
${canChange && actions(view, visit, name, isMain || isProtected)}</span></li>`;
}

function actions(view: View, { repository }: RepositoryVisit, name: string, isKept: boolean): Html {
  const { text } = view;
  const action = (form: string) => repositoryPath(view, repository, `branches/${form}`);
  const rename = html`<input type="hidden" name="from" value="${name}">
<label>${text.refs.renameTo} <input name="to" value="${name}" required maxlength="${MAX_NAME}"></label> <button>${text.refs.rename}</button>`;
  const branch = html`<label>${text.refs.newFromHere} <input name="new_branch_name" required maxlength="${MAX_NAME}"></label> <button>${text.refs.createBranch}</button>`;
  const label = html`${icon(view, 'kebab-horizontal', text.refs.actionsOf(name))}`;
  return menu(label, [
    postForm(view, branch, { action: action(`_new/branch/${escapePath(name)}`), className: 'menu-form' }),
    postForm(view, rename, { action: action('rename'), className: 'menu-form' }),
    !isKept && actionButton(view, { action: action('delete'), label: text.refs.deleteBranch, fields: { name }, className: 'danger' }),
  ]);
}

const encoded = (name: string) => name.split('/').map(encodeURIComponent).join('/');
