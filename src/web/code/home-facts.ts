import type { Context } from '../../context.ts';
import { readTree } from '../../git/trees/trees.ts';
import { findContributions } from '../../repositories/contributions/contributions.ts';
import { peopleOfContributions } from '../activity/contributors.ts';
import type { IconName } from '../assets/icon-names.ts';
import { userLink } from '../components/avatar.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon } from '../view.ts';
import { codePath, type Location } from './location.ts';

/** Number of contributors in the side bar. */
const MAX_PEOPLE = 12;

type FactText = 'licenseFile' | 'citation' | 'contributing' | 'security';
const FILES: readonly (readonly [FactText, IconName, RegExp])[] = [
  ['licenseFile', 'law', /^(?:licen[cs]e|copying)(?:[.-][\w.-]+)?$/i],
  ['citation', 'quote', /^citation\.(?:cff|bib)$/i],
  ['contributing', 'people', /^contributing(?:\.\w+)?$/i],
  ['security', 'shield', /^security(?:\.\w+)?$/i],
];

/** Links to files of the root such as license, citation and contributing guide; the license by its name, if known. */
export async function knownFiles({ view }: RepositoryVisit, { git }: Context, location: Location): Promise<Html[]> {
  const { licenses } = location.repository;
  const entries = (await readTree(git.locate(location.repository), git.pool, location.commit.tree)) ?? [];
  return FILES.flatMap(([text, name, pattern]) => {
    const file = entries.find((entry) => entry.type === 'blob' && pattern.test(entry.name));
    const label = text === 'licenseFile' && licenses.length > 0 ? licenses.join(', ') : view.text.code[text];
    if (!file) return text === 'licenseFile' && licenses.length > 0 ? [html`<li>${icon(view, name)} ${label}</li>`] : [];
    return [html`<li>${icon(view, name)} <a href="${codePath(view, 'src', { ...location, path: file.name })}">${label}</a></li>`];
  });
}

/** The top contributors, if they are counted. Only visits of signed-in users start the count: crawlers do not. */
export async function contributorsOf(visit: RepositoryVisit, context: Context): Promise<Html | false> {
  const { view, repository } = visit;
  const found = await findContributions(context, repository, { counts: view.user !== null });
  if (!found || found === 'empty') return false;
  const people = await peopleOfContributions(context, found);
  const more = repositoryPath(view, repository, 'activity/contributors');
  const shown = people
    .slice(0, MAX_PEOPLE)
    .map(
      ({ name, user }) =>
        html`<li>${user ? userLink(view, user) : html`<span class="user">${name || view.text.activity.others}</span>`}</li>`,
    );
  return html`<h2><a class="plain" href="${more}">${view.text.activity.contributors}</a> <span class="count">${people.length}</span></h2><ul class="home-people">${shown}</ul>`;
}
