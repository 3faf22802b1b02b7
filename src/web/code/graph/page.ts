import { peopleOf } from '../../../code/commits/people.ts';
import { verifyCommits } from '../../../code/commits/verify.ts';
import type { Context } from '../../../context.ts';
import { type GraphPage, readGraph } from '../../../git/history/graph.ts';
import { GRAPH_PAGE } from '../../../git/history/graph-task.ts';
import { readCommits } from '../../../git/objects/commits.ts';
import { GitLimitError } from '../../../git/processes/process.ts';
import { unprocessable } from '../../../http/errors.ts';
import { readPage } from '../../../http/paging.ts';
import { menu } from '../../components/menu.ts';
import { timeAgo } from '../../components/numbers.ts';
import { pageLinks, withParameter } from '../../components/pages.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { commitTitles, personLink, signatureBadge } from '../commit/summary.ts';
import { drawing } from './drawing.ts';
import { chosenRefs, type GraphRef, graphRefs } from './refs.ts';

/** Maximum numbers of files of the query, refs in the menu, and refs next to a commit. */
const MAX_FILES = 20;
const MAX_LISTED = 100;
const MAX_BESIDE = 6;

/** The commits of all branches, or of the requested ones, with the lines between them. */
export async function graphPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, fields } = visit;
  const text = view.text.graph;
  const isMono = fields.get('mode') === 'monochrome';
  const refs = await graphRefs(visit, context, fields.get('hide-pr-refs') !== 'true');
  const { heads, isChosen } = chosenRefs(refs, fields.all('branch'));
  const paths = fields.all('file').filter(Boolean).slice(0, MAX_FILES);
  const page = readPage({ page: Number(fields.get('page')) }, { defaultSize: GRAPH_PAGE, maxSize: GRAPH_PAGE });
  const graph = await read(visit, context, { heads: heads.map(({ oid }) => oid), paths }, page.page);
  const rows = graph.rows.length > 0 ? await graphRows(visit, context, graph, refs) : html`<p class="empty">${text.empty}</p>`;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.title,
    layout: 'wide',
    body: html`<div class="row code-bar"><h2>${text.title}</h2>
<span class="push row">${refsMenu(visit, refs, isChosen ? heads : [])}
<a class="button" href="${withParameter(view, 'hide-pr-refs', fields.get('hide-pr-refs') === 'true' ? undefined : 'true')}">${fields.get('hide-pr-refs') === 'true' ? text.showPulls : text.hidePulls}</a>
<span class="switch"><a class="button" href="${withParameter(view, 'mode', 'monochrome')}"${isMono && html` aria-current="true"`}>${text.mono}</a><a class="button" href="${withParameter(view, 'mode', undefined)}"${!isMono && html` aria-current="true"`}>${text.color}</a></span>
<a class="button" href="${repositoryPath(view, repository, `commits/branch/${repository.default_branch.split('/').map(encodeURIComponent).join('/')}`)}">${icon(view, 'history')} ${view.text.code.history}</a></span></div>
${graph.isCut && html`<p class="muted">${text.cut(graph.total)}</p>`}
<div class="box graph ${isMono ? 'mono' : ''}">${rows}</div>
${pageLinks(view, { page: page.page, limit: GRAPH_PAGE, total: graph.total })}`,
  });
}

async function read({ repository, view }: RepositoryVisit, context: Context, source: Parameters<typeof readGraph>[2], page: number) {
  const { git, workers } = context;
  try {
    return await readGraph(git.locate(repository), { pool: git.pool, workers }, source, page);
  } catch (error) {
    if (error instanceof GitLimitError) throw unprocessable(view.text.graph.tooLong);
    throw error;
  }
}

async function graphRows(visit: RepositoryVisit, context: Context, graph: GraphPage, refs: readonly GraphRef[]): Promise<Html> {
  const { view, repository } = visit;
  const { git } = context;
  const ids = graph.rows.map(({ oid }) => oid);
  const commits = await readCommits(git.locate(repository), git.pool, ids);
  const people = await peopleOf(context, commits);
  const verifications = await verifyCommits(context, commits, people);
  const titles = await commitTitles(visit, context, repository, commits);
  const rows = new Map(
    commits.map((commit, index) => [
      commit.oid,
      html`<span class="graph-title">${titles[index]}</span>
${besides(visit, refs, commit.oid)}
<span class="graph-who muted">${signatureBadge(view, verifications[index])} ${personLink(view, context, people, commit.author)} ${timeAgo(view, commit.committer.seconds)}</span>`,
    ]),
  );
  const link = (oid: string) => html`<a class="mono" href="${repositoryPath(view, repository, `commit/${oid}`)}">${oid.slice(0, 10)}</a>`;
  return html`${drawing(graph)}<ol class="graph-rows">${ids.map((oid) => html`<li>${rows.get(oid)}${link(oid)}</li>\n`)}</ol>`;
}

/** The refs that point to a commit. */
function besides({ view, repository }: RepositoryVisit, refs: readonly GraphRef[], oid: string): Html | false {
  const here = refs.filter(({ commit }) => commit === oid);
  if (here.length === 0) return false;
  return html`<span class="graph-refs">${here.slice(0, MAX_BESIDE).map((ref) => html`<a class="badge" href="${repositoryPath(view, repository, ref.rest)}">${icon(view, ref.icon)} ${ref.label}</a> `)}${here.length > MAX_BESIDE && '…'}</span>`;
}

/** A form that chooses refs. Refs that are not in the list are typed. */
function refsMenu({ view, fields }: RepositoryVisit, refs: readonly GraphRef[], chosen: readonly GraphRef[]): Html {
  const text = view.text.graph;
  const names = new Set(chosen.map(({ name }) => name));
  const listed = [...chosen, ...refs.filter(({ name }) => !names.has(name))].slice(0, MAX_LISTED);
  const kept = ['mode', 'hide-pr-refs'].map((name) => {
    const value = fields.get(name);
    return value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`;
  });
  const boxes = listed.map(
    ({ name, label }) =>
      html`<label class="choice"><input type="checkbox" name="branch" value="${name}"${names.has(name) && html` checked`}> ${label}</label>`,
  );
  const form = html`<form action="${view.here.split('?', 1)[0]}" class="graph-choice">${kept}<div class="graph-boxes" tabindex="0" role="group" aria-label="${text.refs}">${boxes}</div>
<input name="branch" maxlength="400" aria-label="${text.other}" placeholder="${text.other}">
<div class="row"><button class="primary">${text.show}</button><a href="${withParameter(view, 'branch', undefined)}">${text.all}</a></div></form>`;
  return menu(html`${icon(view, 'git-branch')} ${chosen.length === 0 ? text.all : text.chosen(chosen.length)}`, [form]);
}
