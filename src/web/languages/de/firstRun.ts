import type { Catalogue } from '../en/catalogue.ts';

/** Texts of the page that creates the first administrator. */
export const firstRun: Catalogue['firstRun'] = {
  title: 'Administrator anlegen',
  explanation:
    'Hier hat noch niemand ein Konto. Das Protokoll des Servers zeigt beim Start einen Code; er beweist, dass der Server dir gehört.',
  code: 'Der Code aus dem Protokoll',
  wrongCode: 'Der Code ist nicht richtig.',
  name: 'Benutzername',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  retype: 'Das Passwort noch einmal',
  make: 'Konto anlegen',
};
