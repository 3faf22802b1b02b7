import { unprocessable } from '../http/errors.ts';
import { gitbucketSource } from './gitbucket/source.ts';
import { giteaSource } from './gitea/source.ts';
import { githubSource } from './github/source.ts';
import type { SourceOptions } from './source/options.ts';
import type { Source } from './source/source.ts';

/** The software of servers whose projects are brought over, as the API names it; `git` is any server, of which git alone is brought over. */
export const SERVICES = ['git', 'gitea', 'github', 'gitbucket'] as const;

export type Service = (typeof SERVICES)[number];

const SOURCES: Readonly<Record<Service, (options: SourceOptions) => Promise<Source>>> = {
  git: async ({ url }) => ({ repository: async () => ({ description: '', defaultBranch: '', clone: url }) }),
  gitea: giteaSource,
  github: githubSource,
  gitbucket: gitbucketSource,
};

/**
 * Opens a project on another server.
 * @throws SourceError for a URL that is none of a project there
 */
export function openSource(service: Service, options: SourceOptions): Promise<Source> {
  return SOURCES[service](options);
}

/** Services whose projects cannot be brought over yet. */
const UNSUPPORTED: readonly string[] = ['gitlab', 'gogs', 'onedev', 'codebase', 'codecommit'];

/**
 * The service that a name stands for: what is not known is reached by git alone.
 * @throws HttpError 422
 */
export function serviceOf(name: string): Service {
  if (name === 'forgejo') return 'gitea';
  if (UNSUPPORTED.includes(name)) throw unprocessable(`migration from ${name} is not supported; plain git is`);
  return SERVICES.find((service) => service === name) ?? 'git';
}
