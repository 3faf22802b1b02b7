import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import { listTeams } from '../../organizations/teams/list.ts';
import { ownersOf } from '../../pulls/code-owners/request-reviews.ts';
import type { Pull } from '../../pulls/find.ts';
import type { ReviewWithComments } from '../../pulls/reviews/of-pull.ts';
import { presentReviews } from '../../pulls/reviews/present.ts';
import { mayChoose } from '../../pulls/reviews/requests.ts';
import { listReviewers } from '../../repositories/collaborators/candidates.ts';
import { refNames } from '../code/refs/name-lists.ts';
import { userLink } from '../components/avatar.ts';
import { actionButton, checkBox, field } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Conversation } from '../issues/conversation.ts';
import { othersField } from '../issues/named-others.ts';
import { sideForm, sidePart } from '../issues/side-part.ts';
import { icon } from '../view.ts';

/** Maximum number of options in a menu of each kind. */
const MAX_CHOICES = 100;
const PAGE = { page: 1, limit: MAX_CHOICES, offset: 0 };
/** Names of code owners that are listed. */
const MAX_OWNERS = 30;

type Decided = Exclude<ReviewWithComments['review']['type'], 'pending'>;
type Reviewer = Awaited<ReturnType<typeof presentReviews>>[number] & { readonly type: Decided };

/** The side bar of pull requests beyond that of issues: reviewers, the target, and edits by maintainers. */
export async function pullSide(
  conversation: Conversation,
  context: Context,
  pull: Pull,
  reviews: readonly ReviewWithComments[],
): Promise<Html> {
  return html`${await reviewers(conversation, context, pull, reviews)}${target(conversation, pull)}${maintainerEdits(conversation, pull)}`;
}

async function reviewers(conversation: Conversation, context: Context, pull: Pull, reviews: readonly ReviewWithComments[]): Promise<Html> {
  const { view } = conversation.visit;
  const { reviewing: text } = view.text;
  const shown = await latestOf(context, pull, reviews);
  const may = context.actor !== null && (await mayChoose(context, pull, context.actor));
  const rows = shown.map((reviewer) => html`<li class="row">${reviewerLine(conversation, pull, reviewer, may)}</li>`);
  const list = rows.length > 0 ? html`<ul class="plain-list">${rows}</ul>` : html`<span class="muted">${text.noReviewers}</span>`;
  const form = may && !pull.issue.is_closed && (await requestForm(conversation, context, pull, shown));
  const owners = pull.issue.is_closed ? [] : (await ownersOf(context, pull)).slice(0, MAX_OWNERS);
  const owned = owners.length > 0 && html`<h3>${icon(view, 'shield')} ${text.codeOwners}</h3><p class="muted">${owners.join(', ')}</p>`;
  return sidePart(conversation, text.reviewers, html`${list}${owned}`, form);
}

/** Of each reviewer the latest word: a decision or a request, else a comment. */
async function latestOf(context: Context, pull: Pull, reviews: readonly ReviewWithComments[]): Promise<Reviewer[]> {
  const latest = new Map<string, ReviewWithComments['review']>();
  for (const { review } of reviews) {
    if (review.type === 'pending' || (review.reviewer_id === pull.issue.author_id && review.type === 'comment')) continue;
    const who = review.reviewer_team_id === null ? `user ${review.reviewer_id}` : `team ${review.reviewer_team_id}`;
    const before = latest.get(who);
    const decided = before !== undefined && before.type !== 'comment';
    if (review.type !== 'comment' || !decided) latest.set(who, review);
  }
  const rows = [...latest.values()];
  const presented = await presentReviews(context, rows, pull.issue);
  return presented.map((review, at) => ({ ...review, type: (rows[at]?.type ?? 'comment') as Decided }));
}

const LOOKS = {
  approve: ['check', 'success'],
  reject: ['file-diff', 'danger'],
  comment: ['comment', 'muted'],
  request: ['dot-fill', 'warning-text'],
} as const;

function reviewerLine({ visit: { view }, path }: Conversation, pull: Pull, reviewer: Reviewer, may: boolean): Html {
  const { reviewing: text, pulls } = view.text;
  const { type, user, team, official, dismissed, stale } = reviewer;
  const [name, tone] = LOOKS[type];
  const who = team ? html`${icon(view, 'people')} ${team.name}` : userLink(view, user);
  const named: Record<string, string> = team ? { team: team.name } : { reviewer: user?.login ?? '' };
  const isRequest = type === 'request';
  const button =
    may &&
    !pull.issue.is_closed &&
    (isRequest || !team) &&
    actionButton(view, {
      action: path,
      label: icon(view, isRequest ? 'x' : 'sync'),
      title: isRequest ? text.takeBack : text.requestAgain,
      fields: { do: isRequest ? 'take-back-requests' : 'request-reviews', ...named },
      className: 'link',
    });
  return html`<span>${who}</span> <span class="${tone}" title="${text.states[type]}${official && `. ${text.official}`}">${icon(view, name, text.states[type])}</span>
${dismissed && html`<span class="badge">${pulls.dismissed}</span>`}${stale && html`<span class="badge">${pulls.stale}</span>`}${button}`;
}

async function requestForm(conversation: Conversation, context: Context, pull: Pull, shown: readonly Reviewer[]): Promise<Html | false> {
  const { reviewing: text } = conversation.visit.view.text;
  const { repository } = pull.issue;
  const isRequested = (login: string) => shown.some(({ type, user }) => type === 'request' && user?.login === login);
  const users = (await listReviewers(context, repository, { limit: MAX_CHOICES + shown.length + 2 }))
    .filter(({ id, name }) => id !== pull.issue.author_id && !isRequested(name))
    .map((user) => presentUser(context, user).login);
  const teams = (await teamsOf(conversation, context)).filter(({ name }) => !shown.some(({ team }) => team?.name === name));
  if (users.length + teams.length === 0) return false;
  const box = (name: string, value: string) => checkBox({ name, label: value, value, isChecked: false });
  return sideForm(
    conversation,
    'request-reviews',
    html`<div class="choices" tabindex="-1">${users.slice(0, MAX_CHOICES).map((login) => box('reviewer', login))}
${teams.length > 0 && html`<h3>${text.teams}</h3>${teams.map(({ name }) => box('team', name))}`}</div>${users.length > MAX_CHOICES && othersField(conversation.visit.view, 'reviewer')}`,
  );
}

/** Users with read access only do not learn which teams exist. */
async function teamsOf({ visit: { access, repository } }: Conversation, context: Context): Promise<readonly Team[]> {
  if (repository.owner.type !== 'organization' || !access.canWrite('pulls')) return [];
  return (await listTeams(context, { organizationId: repository.owner_id }, PAGE)).teams;
}

/** The target branch, for users who may change it. */
function target(conversation: Conversation, pull: Pull): Html | false {
  const { visit, canEdit } = conversation;
  const { merging: text } = visit.view.text;
  if (!canEdit || pull.issue.is_closed) return false;
  const names = refNames(visit.view, pull.issue.repository, ['branches']);
  const base = { name: 'base', label: text.changeTarget, value: pull.base_branch, isRequired: true, maxLength: 255 };
  const form = sideForm(conversation, 'retarget', field({ ...base, autocomplete: 'off', names }));
  return sidePart(conversation, text.target, html`<code>${pull.base_branch}</code>`, form);
}

/** Whether maintainers may push to the head in another repository; the author decides. */
function maintainerEdits(conversation: Conversation, pull: Pull): Html | false {
  const { visit, issue } = conversation;
  const { merging: text } = visit.view.text;
  const isOfFork = pull.flow === 'branch' && pull.head_repository_id !== null && pull.head_repository_id !== issue.repository_id;
  if (!isOfFork || issue.is_closed) return false;
  const isOwn = visit.view.user?.id === issue.author_id;
  const box = checkBox({ name: 'allow', label: text.maintainers, isChecked: pull.allow_maintainer_edit });
  const shown = pull.allow_maintainer_edit ? text.allowed : text.notAllowed;
  return sidePart(
    conversation,
    text.maintainerEdits,
    html`<span class="muted">${shown}</span>`,
    isOwn && sideForm(conversation, 'maintainer-edits', box),
  );
}
