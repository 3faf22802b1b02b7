/** Texte der Meldungen für Administratoren. */
export const notices = {
  hint: 'Was regelmäßige Aufgaben fanden, und was im Hintergrund fehlschlug. Gleiches wird gezählt.',
  none: 'Es gibt keine Meldungen.',
  empty: 'Alle löschen',
  times: (number: string) => `${number}-mal`,
  kinds: { task: 'Aufgabe', job: 'Auftrag', event: 'Ereignis', repository: 'Repository', mirror: 'Spiegel', migration: 'Migration' },
};
