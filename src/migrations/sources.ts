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

/** The software of servers whose projects are brought over, as the API names it; `git` is any server, of which git alone is brought over. */
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
 * @throws SourceError for a URL that is none of a project there
 */
export function openSource(service: Service, options: SourceOptions): Promise<Source> {
  return SOURCES[service](options);
}

/** The service that a name stands for: what is not known is reached by git alone. */
export function serviceOf(name: string): Service {
  if (name === 'forgejo') return 'gitea';
  return SERVICES.find((service) => service === name) ?? 'git';
}
