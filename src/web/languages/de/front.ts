import type { Catalogue } from '../en/catalogue.ts';

/** Texts of the page at the root URL for who is not signed in. */
export const front: Catalogue['front'] = {
  begin: (command: string) => `Hier hat noch niemand ein Konto. Lege auf der nächsten Seite einen Administrator an, oder mit: ${command}`,
  api: 'API',
  documentation: 'Dokumentation der API',
  description: 'Ihre Beschreibung für Programme',
};
