import type { Repository } from '../../access/find-repository.ts';
import { type Html, html } from '../html.ts';
import { badges, repositoryPath } from '../repository/frame.ts';
import { icon, path, type View } from '../view.ts';
import { number, timeAgo } from './numbers.ts';

/** Length limit of a description that a list shows in characters. */
const MAX_DESCRIPTION = 300;

/** A list of repositories with their descriptions. */
export function repositoryRows(view: View, repositories: readonly Repository[]): Html {
  return html`<ul class="rows box">${repositories.map((repository) => row(view, repository))}</ul>`;
}

function row(view: View, repository: Repository): Html {
  const { owner, name, description, topics, language, stars_count: stars, forks_count: forks, updated_at: updated } = repository;
  return html`<li><div class="repository-row"><h2><a href="${repositoryPath(view, repository)}">${owner.name}/${name}</a> ${badges(view, repository)}</h2>
${description && html`<p>${description.slice(0, MAX_DESCRIPTION)}</p>`}
<p class="row muted">${language && html`<span>${language}</span>`}
<span>${icon(view, 'star', view.text.repository.stars(stars))} ${number(view, stars)}</span>
<span>${icon(view, 'repo-forked', view.text.repository.forks(forks))} ${number(view, forks)}</span>
<span>${view.text.people.updated} ${timeAgo(view, updated)}</span></p>
${topics.length > 0 && html`<p>${topics.map((topic) => html`<a class="badge" href="${path(view, `explore/repos?topic=1&q=${encodeURIComponent(topic)}`)}">${topic}</a> `)}</p>`}
</div></li>\n`;
}
