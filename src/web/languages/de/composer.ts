import type { Catalogue } from '../en/catalogue.ts';

/** Texts of the field for Markdown. */
export const composer: Catalogue['composer'] = {
  write: 'Schreiben',
  preview: 'Vorschau',
  nothingToPreview: 'Es gibt nichts anzuzeigen.',
  bold: 'Fett',
  italic: 'Kursiv',
  heading: 'Überschrift',
  quote: 'Zitat',
  code: 'Code',
  link: 'Link',
  bulletList: 'Liste',
  numberedList: 'Nummerierte Liste',
  taskList: 'Aufgabenliste',
  tools: 'Formatierung',
  markdown: 'Markdown wird unterstützt.',
  dropFiles: 'Füge Dateien ein oder leg sie hier ab, um sie anzuhängen.',
  uploading: 'Wird hochgeladen',
  uploadFailed: 'Die Datei wurde nicht hochgeladen:',
  suggestions: 'Vorschläge',
};
