import type { Context } from '../../context.ts';
import { findContributions, type StoredContributions } from '../../repositories/contributions/contributions.ts';
import { tabs } from '../components/tabs.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** The activity pages of a repository. */
export type ActivityPart = 'pulse' | 'contributors' | 'codeFrequency' | 'recentCommits';

const PATHS: Readonly<Record<ActivityPart, string>> = {
  pulse: 'activity',
  contributors: 'activity/contributors',
  codeFrequency: 'activity/code-frequency',
  recentCommits: 'activity/recent-commits',
};
const PARTS = Object.keys(PATHS) as readonly ActivityPart[];

/** An activity page of a repository, below the links to the others. */
export function activityDocument(visit: RepositoryVisit, context: Context, current: ActivityPart, body: Html): Promise<Document> {
  const { view, repository, access } = visit;
  const { activity: text } = view.text;
  const links = PARTS.filter((part) => part === 'pulse' || access.canRead('code')).map((part) => ({
    href: repositoryPath(view, repository, PATHS[part]),
    label: text[part],
    isCurrent: part === current,
  }));
  return repositoryDocument(visit, context, {
    tab: 'activity',
    title: text[current],
    body: html`<h2 class="visually-hidden">${text[current]}</h2>${links.length > 1 && tabs(view, text.parts, links)}${body}`,
  });
}

/** A page of contributions to the default branch; it shows a notice while these are being counted. */
export async function contributionsDocument(
  visit: RepositoryVisit,
  context: Context,
  part: ActivityPart,
  draw: (contributions: StoredContributions) => Html | Promise<Html>,
): Promise<Document> {
  const { view, repository } = visit;
  const { activity: text } = view.text;
  const found = await findContributions(context, repository);
  if (found === 'empty') return activityDocument(visit, context, part, html`<p class="empty">${text.noCommits}</p>`);
  const again = html`<a class="button" href="${view.here}">${text.again}</a>`;
  if (!found) {
    return activityDocument(
      visit,
      context,
      part,
      html`<div class="empty" role="status"><p><strong>${text.counting}</strong></p><p>${text.countingHint}</p><p>${again}</p></div>`,
    );
  }
  const notes = html`${found.isOld && html`<p class="notice" role="status">${text.old} ${again}</p>`}${found.isCut && html`<p class="muted">${text.cut}</p>`}`;
  return activityDocument(visit, context, part, html`${notes}${await draw(found)}`);
}
