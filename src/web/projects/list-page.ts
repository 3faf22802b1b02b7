import type { Context } from '../../context.ts';
import { countCards } from '../../projects/board.ts';
import type { Project } from '../../projects/find.ts';
import { listProjects, PROJECT_ORDERS } from '../../projects/projects.ts';
import { requestedPage } from '../components/list-page.ts';
import { menu } from '../components/menu.ts';
import { timeAgo } from '../components/numbers.ts';
import { pageLinks } from '../components/pages.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';
import { mayWrite, type ProjectsVisit, projectsDocument, projectsPath } from './owner.ts';

const MAX_WORDS = 255;

/** The boards of a repository or an account. */
export async function projectList(visit: ProjectsVisit, context: Context): Promise<Document> {
  const { view, fields, owner } = visit;
  const { projects: text, issues } = view.text;
  const isClosed = fields.get('state') === 'closed';
  const q = (fields.get('q') ?? '').trim().slice(0, MAX_WORDS);
  const sort = PROJECT_ORDERS.find((order) => order === fields.get('sort')) ?? 'newest';
  const page = requestedPage(visit, context.settings);
  const { projects, total } = await listProjects(context, owner, { isClosed, words: q }, page, sort);
  const { total: other } = await listProjects(context, owner, { isClosed: !isClosed, words: q }, { ...page, limit: 1, offset: 0 });
  const [open, closed] = isClosed ? [other, total] : [total, other];
  const counts = await countCards(context, projects);
  const base = projectsPath(view, owner);
  const to = (change: Partial<Choice>) => base + queryOf({ state: isClosed ? 'closed' : 'open', q, sort, ...change });
  return projectsDocument(visit, context, {
    title: text.projects,
    body: html`<h2 class="visually-hidden">${text.projects}</h2>
<div class="row list-bar"><form class="list-search" role="search" action="${base}" aria-label="${text.search}">
<input type="hidden" name="state" value="${isClosed ? 'closed' : 'open'}"><input type="hidden" name="sort" value="${sort}">
<input type="search" name="q" value="${q}" maxlength="${MAX_WORDS}" aria-label="${text.search}" placeholder="${text.search}"></form>
${mayWrite(visit) && html`<a class="button primary push" href="${base}/new" data-key="c">${text.newProject}</a>`}</div>
<section class="box" aria-label="${text.projects}"><header class="list-head">${tabs(view, issues.states, [
      { href: to({ state: 'open' }), label: issues.open(open), isCurrent: !isClosed },
      { href: to({ state: 'closed' }), label: issues.closed(closed), isCurrent: isClosed },
    ])}
<div class="push row">${menu(
      text.sort,
      PROJECT_ORDERS.map(
        (order) => html`<a href="${to({ sort: order })}"${order === sort && html` aria-current="true"`}>${text.orders[order]}</a>`,
      ),
    )}</div></header>
${projects.length > 0 ? html`<ul class="rows">${projects.map((project) => row(view, project, counts(project)))}</ul>` : emptyList(view, q)}</section>
${pageLinks(view, { ...page, total })}`,
  });
}

interface Choice {
  readonly state: 'open' | 'closed';
  readonly q: string;
  readonly sort: string;
}

function queryOf({ state, q, sort }: Choice): string {
  const query = new URLSearchParams({ ...(state !== 'open' && { state }), ...(q !== '' && { q }), ...(sort !== 'newest' && { sort }) });
  return query.size === 0 ? '' : `?${query}`;
}

function row(view: View, project: Project, { open, closed }: { open: number; closed: number }): Html {
  const { issues } = view.text;
  const percent = open + closed === 0 ? 0 : Math.floor((100 * closed) / (open + closed));
  return html`<li class="milestone-row"><h3>${icon(view, 'project')} <a class="issue-title" href="${projectsPath(view, project.owner, project.id)}">${project.title}</a></h3>
<div class="milestone-facts"><progress max="100" value="${percent}" aria-label="${issues.closedPart(percent)}"></progress>
<p class="row muted"><span>${issues.open(open)}</span><span>${issues.closed(closed)}</span><span>${icon(view, 'clock')} ${timeAgo(view, project.updated_at)}</span></p></div></li>`;
}

function emptyList({ text: { projects } }: View, q: string): Html {
  if (q !== '') return html`<div class="empty plain-empty"><p>${projects.noneFound}</p></div>`;
  return html`<div class="empty plain-empty"><p><strong>${projects.none}</strong></p><p>${projects.noneHint}</p></div>`;
}
