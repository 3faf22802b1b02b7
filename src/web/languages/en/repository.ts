import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the pages of a repository. */
export const repository = {
  tabs: 'Repository',
  code: 'Code',
  issues: 'Issues',
  pulls: 'Pull requests',
  actions: 'Actions',
  packages: 'Packages',
  projects: 'Projects',
  releases: 'Releases',
  wiki: 'Wiki',
  activity: 'Activity',
  settings: 'Settings',
  watch: 'Watch',
  unwatch: 'Unwatch',
  star: 'Star',
  unstar: 'Unstar',
  fork: 'Fork',
  watchers: (number: number) => count(number, 'watcher', 'watchers'),
  stars: (number: number) => count(number, 'star', 'stars'),
  forks: (number: number) => count(number, 'fork', 'forks'),
  forkedFrom: 'Forked from',
  mirrorOf: 'Mirror of',
  archivedNotice: 'This repository is archived. It can be read, but not changed.',
  clone: 'Clone',
  cloneHttp: 'Clone over HTTP',
  cloneSsh: 'Clone over SSH',
  downloadZip: 'Download ZIP',
  downloadTar: 'Download tar.gz',
};
