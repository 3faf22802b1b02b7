import { type Html, html } from '../html.ts';
import { path, type View } from '../view.ts';
import { avatar, type ShownUser } from './avatar.ts';

/** A person or an organization in a list. */
export interface ShownPerson extends ShownUser {
  readonly location?: string;
  readonly description?: string;
}

/** A list of people or organizations. */
export function personRows(view: View, people: readonly ShownPerson[]): Html {
  return html`<ul class="rows box">${people.map(
    (
      person,
    ) => html`<li>${avatar(view, person, 40)} <div><a href="${path(view, encodeURIComponent(person.login))}"><strong>${person.login}</strong></a>
${person.full_name} ${person.location && html`<span class="muted">${person.location}</span>`}
${person.description && html`<p class="muted">${person.description.slice(0, 200)}</p>`}</div></li>\n`,
  )}</ul>`;
}
