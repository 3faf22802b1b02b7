import { codebaseSource } from './codebase/source.ts';
import { codecommitSource } from './codecommit/source.ts';
import { gitbucketSource } from './gitbucket/source.ts';
import { giteaSource } from './gitea/source.ts';
import { githubSource } from './github/source.ts';
import { gitlabSource } from './gitlab/source.ts';
import { gogsSource } from './gogs/source.ts';
import { onedevSource } from './onedev/source.ts';
import type { SourceOptions } from './source/options.ts';
import type { Source } from './source/source.ts';

/** The software of servers to migrate from, as named in the API; `git` is any server, from which only git data is migrated. */
export const SERVICES = ['git', 'gitea', 'github', 'gitlab', 'gogs', 'onedev', 'gitbucket', 'codebase', 'codecommit'] as const;

export type Service = (typeof SERVICES)[number];

const SOURCES: Readonly<Record<Service, (options: SourceOptions) => Promise<Source>>> = {
  git: async ({ url }) => ({ repository: async () => ({ description: '', defaultBranch: '', clone: url }) }),
  gitea: giteaSource,
  github: githubSource,
  gitbucket: gitbucketSource,
  gitlab: gitlabSource,
  gogs: gogsSource,
  onedev: onedevSource,
  codebase: codebaseSource,
  codecommit: codecommitSource,
};

/**
 * Opens a project on another server.
 * @throws SourceError for a URL that names no project there
 */
export function openSource(service: Service, options: SourceOptions): Promise<Source> {
  return SOURCES[service](options);
}

/** The service of a name: unknown ones are migrated by git only. */
export function serviceOf(name: string): Service {
  if (name === 'forgejo') return 'gitea';
  return SERVICES.find((service) => service === name) ?? 'git';
}
