import { presentUsers } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import { isSubscribed, listParticipants } from '../../issues/subscriptions/subscriptions.ts';
import type { ShownUser } from '../components/avatar.ts';
import { type Choices, choicesOf } from './choices.ts';
import type { Conversation } from './conversation.ts';
import { type DependencyData, readDependencies } from './dependency-part.ts';
import { type ProjectData, readProjects } from './project-part.ts';
import { readTime, type TimeData } from './time-part.ts';

/** The data of an issue's side bar. */
export interface SideData {
  /** The options; undefined for users who may not change it. */
  readonly choices: Choices | undefined;
  readonly participants: { readonly users: readonly ShownUser[]; readonly total: number };
  /** Undefined for anonymous visitors. */
  readonly isSubscribed: boolean | undefined;
  /** Undefined if there are no boards. */
  readonly projects: ProjectData | undefined;
  /** Undefined if dependencies are disabled. */
  readonly dependencies: DependencyData | undefined;
  /** Undefined if time tracking is disabled. */
  readonly time: TimeData | undefined;
}

const MAX_PARTICIPANTS = 30;

/** Reads the data of the side bar. */
export async function readSideData(conversation: Conversation, context: Context): Promise<SideData> {
  const { visit, issue, canWrite } = conversation;
  const { actor } = context;
  const choices = canWrite ? await choicesOf(context, visit) : undefined;
  const participants = await listParticipants(context, issue, MAX_PARTICIPANTS);
  return {
    choices,
    participants: { users: presentUsers(context, participants.users), total: participants.total },
    isSubscribed: actor ? await isSubscribed(context, issue, actor) : undefined,
    projects: await readProjects(conversation, context, choices?.projects),
    dependencies: await readDependencies(conversation, context),
    time: await readTime(conversation, context),
  };
}
