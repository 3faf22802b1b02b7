import type { Repository } from '../../../access/find-repository.ts';
import { presentUser } from '../../../accounts/users/present.ts';
import { type People, peopleOf } from '../../../code/commits/people.ts';
import { type Verification, verifyCommits } from '../../../code/commits/verify.ts';
import { statesOfCommits } from '../../../code/statuses/of-commits.ts';
import { combinedState } from '../../../code/statuses/statuses.ts';
import type { Context } from '../../../context.ts';
import { type Commit, summary } from '../../../git/objects/commits.ts';
import type { Identity } from '../../../git/objects/identity.ts';
import { renderShortText } from '../../../markup/markup.ts';
import { markupContext } from '../../../rendering/lookups.ts';
import type { IconName } from '../../assets/icon-names.ts';
import { userLink } from '../../components/avatar.ts';
import { day, timeAgo } from '../../components/numbers.ts';
import { Html, html } from '../../html.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, type View } from '../../view.ts';

/** A commit's author or committer: the account with the e-mail address, or the name in the commit. */
export function personLink(view: View, context: Context, people: People, { name, email }: Identity): Html {
  const user = people.byEmail(email);
  return user ? userLink(view, presentUser(context, user, null)) : html`<strong>${name}</strong>`;
}

/** A label for the signature of a commit; empty if it is unsigned. */
export function signatureBadge({ text }: View, verification: Verification | undefined): Html | false {
  if (!verification || (verification.signature === '' && !verification.verified)) return false;
  const { verified, reason } = verification;
  return html`<span class="badge ${verified ? 'success' : 'warning'}" title="${reason}">${verified ? text.commits.verified : text.commits.unverified}</span>`;
}

const DAY_SECONDS = 24 * 60 * 60;
const STATE_ICONS: Readonly<Record<string, IconName>> = { success: 'check', failure: 'x', pending: 'dot-fill' };

/** The combined status of a commit; empty if it has none. */
export function stateIcon(view: View, states: readonly Parameters<typeof combinedState>[0][number][]): Html | false {
  if (states.length === 0) return false;
  const state = combinedState(states);
  const shown = state === 'success' || state === 'pending' ? state : 'failure';
  return html`<span class="state ${shown}">${icon(view, STATE_ICONS[shown] ?? 'dot-fill', view.text.commits[shown])}</span>`;
}

/** Commits as rows, grouped by the UTC day of the commit, with their authors, signatures and statuses. */
export async function commitRows(
  visit: RepositoryVisit,
  context: Context,
  repository: Repository,
  commits: readonly Commit[],
): Promise<Html> {
  const { view } = visit;
  const people = await peopleOf(context, commits);
  const verifications = await verifyCommits(context, commits, people);
  const states = await statesOfCommits(
    context,
    repository,
    commits.map(({ oid }) => oid),
  );
  const titles = await commitTitles(visit, context, repository, commits);
  const rows: Html[] = [];
  for (const [index, commit] of commits.entries()) {
    const href = repositoryPath(view, repository, `commit/${commit.oid}`);
    rows.push(html`<li><div class="commit-line"><div class="commit-title">${titles[index]}</div>
<div class="muted">${personLink(view, context, people, commit.author)} ${timeAgo(view, commit.committer.seconds)}</div></div>
<span class="push row">${stateIcon(view, states.get(commit.oid) ?? [])}${signatureBadge(view, verifications[index])}
<a class="mono" href="${href}">${commit.oid.slice(0, 10)}</a>
<button type="button" class="link" data-copy="${commit.oid}" data-copied="${view.text.common.copied}" aria-label="${view.text.commits.copyId}">${icon(view, 'copy')}</button>
<a href="${repositoryPath(view, repository, `src/commit/${commit.oid}`)}" aria-label="${view.text.commits.browse}" title="${view.text.commits.browse}">${icon(view, 'code')}</a></span></li>`);
  }
  return underDays(view, commits, rows);
}

/** The commits keep their order: a day may occur again. */
function underDays(view: View, commits: readonly Commit[], rows: readonly Html[]): Html {
  const { onDay, onNoDay } = view.text.commits;
  const dayOf = (at: number) => Math.floor((commits[at]?.committer.seconds ?? Number.NaN) / DAY_SECONDS);
  const days: Html[] = [];
  for (let from = 0, to = 1; from < rows.length; from = to++) {
    while (to < rows.length && Object.is(dayOf(to), dayOf(from))) to++;
    const shown = day(view, dayOf(from) * DAY_SECONDS);
    days.push(html`<h3 class="commits-day">${shown === '' ? onNoDay : onDay(shown)}</h3>
<div class="box"><ul class="rows commits">${rows.slice(from, to)}</ul></div>\n`);
  }
  return html`${days}`;
}

/** The first lines of the messages, as links to the commits; references in them are links as well. */
export async function commitTitles(
  { view, access, ...visit }: RepositoryVisit,
  context: Context,
  repository: Repository,
  commits: readonly Commit[],
): Promise<Html[]> {
  const known = await markupContext(context, { repository: visit.repository, access });
  const shown = { ...known, absoluteLinks: false, origin: { kind: 'document', base: '' } } as const;
  const titles: Html[] = [];
  for (const { oid, message } of commits) {
    const title = summary(message) || view.text.code.noMessage;
    titles.push(new Html(await renderShortText(title, 'subject', shown, repositoryPath(view, repository, `commit/${oid}`))));
  }
  return titles;
}
