import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the page about the security of an account. */
export const security: Catalogue['security'] = {
  passkeys: 'Passkeys',
  passkeysHint:
    'Ein Passkey meldet dich ohne Passwort an und ist daneben ein zweiter Faktor: ein Fingerabdruck, ein Telefon oder ein Sicherheitsschlüssel.',
  noPasskeys: 'Es gibt noch keine.',
  onePasskey:
    'Mit einem einzigen Passkey bist du ausgesperrt, wenn du ihn verlierst. Füge einen zweiten hinzu oder richte Einmalcodes ein.',
  addPasskey: 'Passkey hinzufügen',
  passkeyName: 'Name',
  passkeyNameHint: 'Damit du ihn wiedererkennst, etwa der Name des Geräts.',
  passkeyFailed: 'Der Browser hat keinen Passkey angelegt. Vielleicht ist er schon registriert.',
  needsScripts: 'Für einen neuen Passkey braucht der Browser Skripte.',
  neverUsed: 'noch nicht benutzt',
  rename: 'Umbenennen',
  remove: 'Entfernen',
  manage: (name) => `${name} umbenennen oder entfernen`,
  codes: 'Einmalcodes',
  codesOff: 'Sie sind aus.',
  setUp: 'Einrichten',
  codesOn: 'Sie sind an.',
  recoveryUsed: 'Der Wiederherstellungscode wurde benutzt. Lass dir einen neuen geben.',
  newRecovery: 'Neuer Wiederherstellungscode',
  turnOff: 'Ausschalten',
  enrolTitle: 'Anmeldung in zwei Schritten einrichten',
  enrolScan: 'Scanne das mit einer App für Einmalcodes.',
  enrolPicture: 'QR-Code des Schlüssels darunter',
  enrolKey: 'Oder gib den Schlüssel in die App ein, oder',
  enrolOpen: 'öffne ihn dort',
  enrolCode: 'Der Code, den die App gerade zeigt',
  turnOn: 'Einschalten',
  enrolOr: 'Auch ein Passkey ist ein zweiter Faktor.',
  isOn: 'Die Anmeldung in zwei Schritten ist an',
  keepCode:
    'Bewahre diesen Wiederherstellungscode sicher auf. Er meldet dich einmal an, wenn du das Gerät verloren hast, und wird nicht noch einmal gezeigt.',
  done: 'Fertig',
  password: 'Passwort',
  sessions: 'Angemeldete Browser',
  unknownBrowser: 'Unbekannter Browser',
  browserOn: (browser, system) => `${browser} unter ${system}`,
  thisOne: 'Dieser hier',
  signedIn: 'angemeldet',
  lastUsed: 'zuletzt benutzt',
  added: 'hinzugefügt',
  signOut: 'Abmelden',
  signOutOthers: (number) => `${count(number, 'anderen Browser', 'andere Browser')} abmelden`,
  applications: 'Zugelassene Anwendungen',
  fullAccess: 'voller Zugriff',
  since: 'seit',
  revoke: 'Entziehen',
};
