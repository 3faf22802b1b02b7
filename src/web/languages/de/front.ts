import type { Catalogue } from '../en/catalogue.ts';

import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the page at the root URL for anonymous visitors. */
export const front: Catalogue['front'] = {
  begin: (command: string) => `Hier hat noch niemand ein Konto. Lege auf der nächsten Seite einen Administrator an, oder mit: ${command}`,
  about: 'Git-Repositorys mit Issues, Pull Requests, Releases, Paketen und Automatisierung.',
  recent: 'Kürzlich geändert',
  nothingPublic: 'Es gibt noch kein öffentliches Repository.',
  allRepositories: (total) => `Alle ${count(total, 'Repository', 'Repositorys')}`,
  api: 'API',
  documentation: 'Dokumentation der API',
  description: 'Ihre Beschreibung für Programme',
};
