/** Maximum number of indexed words of one text; the rest of a longer one is not found. */
const MAX_WORDS = 50_000;
const MAX_WORD_LENGTH = 64;

/** Scripts that do not separate words. */
const SCRIPTS = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}]';
/** Maximum length of a run of characters: the engine needs memory for each, and fails when there are too many. */
const MAX_ROW = 1000;
/**
 * A run of letters and marks, or of digits, so that `404` is found in `error404` and `1.2` in `v1.2`; each character of a script that does
 * not separate words is a word.
 */
const WORD = new RegExp(
  `${SCRIPTS}\\p{M}{0,${MAX_ROW}}|[\\p{L}--${SCRIPTS}](?:[\\p{L}--${SCRIPTS}]|\\p{M}){0,${MAX_ROW}}|\\p{N}[\\p{N}\\p{M}]{0,${MAX_ROW}}`,
  'gv',
);
/** Word boundaries in camel case: `camelCase`, `HTTPServer`. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * The words of a text, in order, ignoring case and Unicode composition. Both databases index and search these,
 * so that they find the same.
 */
export function words(text: string): string[] {
  const found: string[] = [];
  for (const word of rows(text)) {
    if (found.push(fold(word)) >= MAX_WORDS) break;
  }
  return found;
}

/** The indexed words of a text: its own, followed by the parts of those in camel case. */
export function indexedWords(text: string): string[] {
  const own: string[] = [];
  const parts: string[] = [];
  for (const word of rows(text)) {
    if (own.push(fold(word)) + parts.length >= MAX_WORDS) break;
    const humps = word.split(HUMP);
    if (humps.length > 1) parts.push(...humps.map(fold));
  }
  return parts.length > 0 ? [...own, ...parts] : own;
}

/** The runs of letters in a text; of one that is too long, its beginning. */
function* rows(text: string): Iterable<string> {
  let end = -1;
  let isCut = false;
  for (const { 0: word, index } of text.normalize('NFKC').matchAll(WORD)) {
    const isRest = isCut && index === end;
    end = index + word.length;
    isCut = word.length > MAX_ROW;
    if (!isRest) yield word;
  }
}

function fold(word: string): string {
  return word.slice(0, MAX_WORD_LENGTH).toLowerCase();
}
