import type { Service } from '../../migrations/sources.ts';

/** The parts of a project that can be migrated besides its code; the names are those of the API and of the form. */
export const ITEMS = ['wiki', 'labels', 'milestones', 'issues', 'pull_requests', 'releases'] as const;

/** One of {@link ITEMS}. */
export type Item = (typeof ITEMS)[number];

/** The form of a service. */
export interface ServiceForm {
  readonly service: Service;
  /** The number of the service in URLs and forms. */
  readonly type: number;
  /** The credentials that it requires. */
  readonly signIn: 'token' | 'password' | 'aws';
  readonly items: readonly Item[];
}

const TRACKER = ['labels', 'milestones', 'issues', 'pull_requests'] as const;

/** The services in their shown order, git first. */
export const SERVICE_FORMS: readonly ServiceForm[] = [
  { service: 'git', type: 1, signIn: 'password', items: ['wiki'] },
  { service: 'github', type: 2, signIn: 'token', items: ITEMS },
  { service: 'gitlab', type: 4, signIn: 'token', items: ITEMS },
  { service: 'gitea', type: 3, signIn: 'token', items: ITEMS },
  // Its API shows neither pull requests nor releases.
  { service: 'gogs', type: 5, signIn: 'token', items: ['wiki', 'labels', 'milestones', 'issues'] },
  { service: 'onedev', type: 6, signIn: 'password', items: TRACKER },
  { service: 'gitbucket', type: 7, signIn: 'password', items: ITEMS },
  { service: 'codebase', type: 8, signIn: 'password', items: TRACKER },
  { service: 'codecommit', type: 9, signIn: 'aws', items: ['pull_requests'] },
];

/** The form of a service, by the number or the name in a URL or a form. */
export function serviceForm(given: string | undefined): ServiceForm | undefined {
  return SERVICE_FORMS.find(({ service, type }) => given === service || given === String(type));
}
