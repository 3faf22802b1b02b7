import type { Context } from '../../context.ts';
import { renderDescription } from '../../markup/markup.ts';
import { markupContext } from '../../rendering/lookups.ts';
import { listLanguages } from '../../repositories/statistics/statistics.ts';
import { bytes } from '../components/numbers.ts';
import { Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon, path, type View } from '../view.ts';
import { contributorsOf, knownFiles } from './home-facts.ts';
import type { Location } from './location.ts';
import { topicForm } from './topics.ts';

/** Languages that are named; the rest are "others". */
const MAX_LANGUAGES = 8;

/** The facts of a repository: description, website, topics, special files, languages. */
export async function about(visit: RepositoryVisit, context: Context, location: Location): Promise<Html> {
  const { view, repository, access } = visit;
  const { text } = view;
  const { description, website, topics } = repository;
  const known = await markupContext(context, { repository, access });
  const origin = { kind: 'document', base: repository.website } as const;
  const rendered = description && (await renderDescription(description, { ...known, absoluteLinks: false, origin }));
  const isLink = /^https?:\/\//i.test(website);
  const edit =
    access.isAdmin &&
    html` <a class="plain" href="${repositoryPath(view, repository, 'settings')}">${icon(view, 'gear', text.code.editAbout)}</a>`;
  return html`<h2>${text.code.about}${edit}</h2>
${rendered ? html`<p>${new Html(rendered)}</p>` : html`<p class="muted">${text.code.noDescription}</p>`}
${isLink && html`<p>${icon(view, 'link')} <a rel="nofollow noopener" href="${website}">${website}</a></p>`}
${topics.length > 0 && html`<p class="topics">${topics.map((topic) => html`<a class="badge" href="${path(view, `explore/repos?q=${encodeURIComponent(topic)}&topic=1`)}">${topic}</a> `)}</p>`}
${topicForm(visit)}
<ul class="facts">
${await knownFiles(visit, context, location)}
<li>${icon(view, 'pulse')} <a href="${repositoryPath(view, repository, 'activity')}">${text.repository.activity}</a></li>
<li>${icon(view, 'database')} ${bytes(view, repository.size)}</li>
</ul>
${languagesBar(view, await listLanguages(context, repository))}${await contributorsOf(visit, context)}`;
}

/** The languages as parts of a bar, and by name. */
function languagesBar(view: View, sizes: Readonly<Record<string, number>>): Html | false {
  const all = Object.entries(sizes).toSorted(([, a], [, b]) => b - a);
  const total = all.reduce((sum, [, size]) => sum + size, 0);
  if (total === 0) return false;
  const shown = all.slice(0, MAX_LANGUAGES).map(([name, size]) => ({ name, share: (100 * size) / total }));
  const percent = new Intl.NumberFormat(view.language, { maximumFractionDigits: 1 });
  let at = 0;
  const parts = shown.map(({ share }, index) => {
    const part = html`<rect class="language-${index}" x="${at.toFixed(2)}" width="${share.toFixed(2)}" height="8"/>`;
    at += share;
    return part;
  });
  return html`<h2>${view.text.code.languages}</h2>
<svg class="languages" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="legend">${shown.map(({ name, share }, index) => html`<li><span class="dot language-${index}"></span> ${name} <span class="muted">${percent.format(share)} %</span></li>`)}</ul>`;
}
