import type { Repository } from '../../access/find-repository.ts';
import type { LoadedRepository } from '../../access/load.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type LabelOwner, listLabels, ownerNamesOf } from '../../issues/labels/labels.ts';
import { presentLabel } from '../../issues/labels/present.ts';
import { listMilestones } from '../../issues/milestones/milestones.ts';
import { presentMilestone } from '../../issues/milestones/present.ts';
import type { Project } from '../../projects/find.ts';
import { offeredProjects } from '../../projects/of-issues.ts';
import { listAssignees } from '../../repositories/collaborators/candidates.ts';
import type { ShownUser } from '../components/avatar.ts';
import type { ShownLabel, ShownMilestone } from './shown.ts';

/** Maximum number of options in a menu of each kind. */
const MAX_CHOICES = 100;
const PAGE = { page: 1, limit: MAX_CHOICES, offset: 0 };

/** The labels, milestones and so on that issues of a repository can have. */
export interface Choices {
  /** Boards that the reader may see. */
  readonly projects: readonly Project[];
  readonly labels: readonly ShownLabel[];
  /** The open ones before the closed ones. */
  readonly milestones: readonly ShownMilestone[];
  /** Empty for anonymous visitors, as in the API. */
  readonly assignees: readonly (ShownUser & { readonly id: number })[];
  /** Whether there are more labels and assignees than these. */
  readonly hasMore?: { readonly labels: boolean; readonly assignees: boolean };
}

/** The labels, those of the organization among them, milestones and people of a repository. */
export async function choicesOf(context: Context, { repository, access }: LoadedRepository): Promise<Choices> {
  const milestones = await firstMilestones(context, repository);
  const people = context.actor ? await listAssignees(context, repository, { limit: MAX_CHOICES + 1 }) : [];
  const labels = await usedLabels(context, repository);
  return {
    projects: await offeredProjects(context, repository, access),
    labels: labels.shown,
    hasMore: { labels: labels.isCut, assignees: people.length > MAX_CHOICES },
    milestones: milestones.map(presentMilestone).toSorted((a, b) => Number(a.state === 'closed') - Number(b.state === 'closed')),
    assignees: presentUsers(context, people.slice(0, MAX_CHOICES)),
  };
}

/** All of them, or the open ones if there are too many. */
async function firstMilestones(context: Context, repository: Repository) {
  const { milestones, total } = await listMilestones(context, repository, {}, PAGE);
  return total > milestones.length ? (await listMilestones(context, repository, { isClosed: false }, PAGE)).milestones : milestones;
}

async function usedLabels(context: Context, repository: Repository): Promise<{ shown: ShownLabel[]; isCut: boolean }> {
  const owners = [{ repository }, ...(repository.owner.type === 'organization' ? [{ organization: repository.owner }] : [])];
  const lists = await Promise.all(owners.map((owner) => labelsOf(context, owner)));
  return { shown: lists.flatMap(({ shown }) => shown), isCut: lists.some(({ isCut }) => isCut) };
}

/** The labels that all repositories of an organization have. */
export async function labelsOfOrganization(context: Context, organization: User): Promise<ShownLabel[]> {
  return (await labelsOf(context, { organization })).shown;
}

async function labelsOf(context: Context, owner: LabelOwner): Promise<{ shown: ShownLabel[]; isCut: boolean }> {
  const { labels, total } = await listLabels(context, owner, PAGE);
  return { shown: labels.map((label) => presentLabel(context, label, ownerNamesOf(owner))), isCut: total > labels.length };
}
