import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the page at the root URL for anonymous visitors. */
export const front = {
  begin: (command: string) => `Nobody has an account here yet. Make an administrator on the next page, or with: ${command}`,
  about: 'Git repositories with issues, pull requests, releases, packages and automation.',
  recent: 'Updated lately',
  nothingPublic: 'There is no public repository yet.',
  allRepositories: (total: number) => `All ${count(total, 'repository', 'repositories')}`,
  api: 'API',
  documentation: 'Documentation of the API',
  description: 'Its description for programs',
};
