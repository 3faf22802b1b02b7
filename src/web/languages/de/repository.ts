import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the pages of a repository. */
export const repository: Catalogue['repository'] = {
  tabs: 'Repository',
  code: 'Code',
  issues: 'Issues',
  pulls: 'Pull-Requests',
  actions: 'Actions',
  packages: 'Pakete',
  projects: 'Projekte',
  releases: 'Releases',
  wiki: 'Wiki',
  activity: 'Aktivität',
  settings: 'Einstellungen',
  watch: 'Beobachten',
  unwatch: 'Nicht mehr beobachten',
  star: 'Favorisieren',
  unstar: 'Nicht mehr favorisieren',
  fork: 'Fork',
  watchers: (number) => count(number, 'Beobachter', 'Beobachter'),
  stars: (number) => count(number, 'Stern', 'Sterne'),
  forks: (number) => count(number, 'Fork', 'Forks'),
  forkedFrom: 'Fork von',
  mirrorOf: 'Spiegel von',
  archivedNotice: 'Dieses Repository ist archiviert. Es kann gelesen, aber nicht geändert werden.',
  clone: 'Klonen',
  cloneHttp: 'Über HTTP klonen',
  cloneSsh: 'Über SSH klonen',
  downloadZip: 'ZIP herunterladen',
  downloadTar: 'tar.gz herunterladen',
};
