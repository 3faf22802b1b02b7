import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the page at the root URL for anonymous visitors. */
export const front = {
  begin: (command: string) => `There are no accounts yet. Create an administrator on the next page, or with: ${command}`,
  about: 'Git repositories with issues, pull requests, releases, packages and CI.',
  recent: 'Recently updated',
  nothingPublic: 'There is no public repository yet.',
  allRepositories: (total: number) => `All ${count(total, 'repository', 'repositories')}`,
  api: 'API',
  documentation: 'API documentation',
  description: 'Machine-readable description',
};
