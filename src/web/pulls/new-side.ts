import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { findAssignable } from '../../issues/assignees/assignees.ts';
import { findReviewers } from '../../pulls/reviewers.ts';
import { listReviewers, mayChooseReviewers } from '../../repositories/collaborators/candidates.ts';
import { checkBox } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { choicesOf } from '../issues/choices.ts';
import { chosenNames, labelsOfForm, othersField } from '../issues/named-others.ts';
import { boxes, milestoneField, sideBoxes } from '../issues/new-side.ts';
import type { RepositoryVisit } from '../resource-pages.ts';

/** Maximum number of offered reviewers. */
const MAX_CHOICES = 100;

/** The fields beside a new pull request, for users who may choose: reviewers, labels, assignees, milestone. */
export async function sideFields(visit: RepositoryVisit, context: Context): Promise<Html> {
  const { view, repository, access, fields } = visit;
  const actor = signedInActor(context);
  const chosen = fields.all('reviewer');
  const candidates = (await mayChooseReviewers(context, repository, actor))
    ? await listReviewers(context, repository, { limit: MAX_CHOICES + 2 })
    : [];
  const others = candidates.filter(({ id }) => id !== actor.id);
  const reviewers = others
    .slice(0, MAX_CHOICES)
    .map(({ name }) => checkBox({ name: 'reviewer', value: name, label: name, isChecked: chosen.includes(name) }));
  const choices = access.canWrite('pulls') ? await choicesOf(context, visit) : undefined;
  return html`${boxes(view.text.reviewing.reviewers, reviewers, others.length > MAX_CHOICES && othersField(view, 'reviewer', fields.get('other_reviewers')))}
${choices && sideBoxes(view, choices, { labels: fields.all('label').map(Number), assignees: fields.all('assignee') }, fields)}
${choices && milestoneField(view, choices, fields.get('milestone') ?? '0')}`;
}

interface Beside {
  readonly reviewers: readonly User[];
  readonly labelIds: number[];
  readonly assignees: User[];
  readonly milestoneId: number | null;
}

/** What the form has chosen; only users with write access choose labels, assignees and the milestone. */
export async function chosenBeside({ view, repository, access, fields }: RepositoryVisit, context: Context): Promise<Beside> {
  const { users: reviewers } = await findReviewers(context, repository, { reviewers: chosenNames(fields, 'reviewer') });
  if (!access.canWrite('pulls')) return { reviewers, labelIds: [], assignees: [], milestoneId: null };
  const labels = await labelsOfForm(context, view, repository, fields);
  const milestone = Number(fields.get('milestone')) || 0;
  return {
    reviewers,
    labelIds: labels.map(({ id }) => id),
    assignees: await findAssignable(context, repository, chosenNames(fields, 'assignee')),
    milestoneId: milestone > 0 ? milestone : null,
  };
}
