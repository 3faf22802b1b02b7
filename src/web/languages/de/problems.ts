/** Was an einem Feld falsch ist, nach den Namen, die die API für ihre Regeln hat. */
export const problems = {
  Required: 'das fehlt',
  AlphaDash: 'nur Buchstaben, Ziffern, Binde- und Unterstriche sind erlaubt',
  AlphaDashDot: 'nur Buchstaben, Ziffern, Punkte, Binde- und Unterstriche sind erlaubt',
  GitRefName: 'das ist kein Name, den Git erlaubt',
  GlobPattern: 'das ist kein Muster',
  Email: 'das ist keine E-Mail-Adresse',
  Url: 'das ist keine Adresse, die mit http:// oder https:// beginnt',
  In: 'das gehört nicht zur Auswahl',
  MinSize: 'das ist zu kurz',
  MaxSize: 'das ist zu lang',
  Range: 'das ist zu klein oder zu groß',
};
