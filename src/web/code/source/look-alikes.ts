/**
 * Letters of other scripts that look almost like an ASCII letter or digit, from Unicode's table of confusable characters
 * (https://www.unicode.org/Public/security/latest/confusables.txt). Letters that differ in most fonts, such as `α`, are left out.
 * Each letter is before its look-alike.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  Cyrillic: 'аaАAВBсcСCԁdеeЕEһhНHіiІIјjЈJкkКKӏlӀIМMоoОOрpРPԛqѕsЅSТTѵvѴVԝwԜWхxХXуyУYүyҮYЗ3',
  Greek: 'ΑAΒBϲcϹCΕEϜFΗHͿJϳjΙIΚKΜMϺMΝNοoΟOρpϱpΡPΤTνvΥYΧXΖZ',
  Armenian: 'ցgհhոnօoՕOզqսuՍU',
  Cherokee: 'ᎪAᏴBᏏbᏟCᎠDᏧdᎬEᏀGᎻHᏂhᎥiᎫJᏦKᏞLᎷMᏢPᎡRᏒRᏕSᏚSᎢTᏙVᎳWᏔWᎩYᎽYᏃZ',
  Coptic: 'ⲂBⲥcⲤCⲎHⲓiⲒIⲔKⲘMⲚNⲟoⲞOⲣpⲢPⲦTⲬXⲨY',
  Lisu: 'ꓮAꓐBꓚCꓓDꓰEꓝFꓖGꓧHꓙJꓗKꓲIꓡLꓟMꓠNꓳOꓑPꓣRꓢSꓔTꓴUꓦVꓪWꓫXꓬYꓜZ',
};

/** What a letter looks like, and what finds a letter of its script that looks like nothing else. */
interface LookAlike {
  readonly like: string;
  readonly other: RegExp;
}

const LIKE: ReadonlyMap<string, LookAlike> = new Map(
  Object.entries(SCRIPTS).flatMap(([script, written]) => {
    const pairs = [...written.matchAll(/(.)(.)/gu)];
    const other = new RegExp(`(?![${pairs.map(([, letter]) => letter).join('')}])\\p{Script=${script}}`, 'u');
    return pairs.map(([, letter = '', like = '']) => [letter, { like, other }] as const);
  }),
);

/** Styled forms of ASCII letters and digits: of formulas, full width, Roman numbers and the like; sets such as `ℝ` have names of their own. */
const STYLED = /(?![ℂℍℕℙℚℝℤ])[\u2100-\u214f\u2160-\u217f\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}\u{1fbf0}-\u{1fbf9}]/u;
/** Usual beside East Asian scripts. */
const FULL_WIDTH = /[\uff00-\uffef]/;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const ANY = new RegExp(`[${[...LIKE.keys()].join('')}]|${STYLED.source}`, 'u');
const EACH = new RegExp(ANY, 'gu');
/** Tags and references stay as they are. */
const PARTS = /<[^>]*>|&[^;]*;|[\p{L}\p{N}\p{M}_]+/gu;
/** More of them are not marked: the marks are far longer than the text. */
const MAX_MARKS = 1_000;
const OPEN = '<span class="like-char" title="';

/**
 * Marks characters that look like an ASCII letter or digit, except in words of another script: words without ASCII letters, on lines
 * on which that script has letters without look-alikes.
 * @param marked escaped text, or HTML of the highlighter
 */
export function markLookAlikes(marked: string): string {
  if (!ANY.test(marked)) return marked;
  const lines = marked.split('\n');
  let left = MAX_MARKS;
  for (const [at, line] of lines.entries()) {
    if (left <= 0) break;
    if (ANY.test(line)) lines[at] = markLine(line, () => left-- > 0);
  }
  return lines.join('\n');
}

/** Whether lines have marks of {@link markLookAlikes}. */
export function hasLookAlikes(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes(OPEN));
}

/** @param takes whether one more may be marked */
function markLine(line: string, takes: () => boolean): string {
  const isEastAsian = EAST_ASIAN.test(line);
  const isWritten = remembered((script: RegExp) => script.test(line));
  return line.replace(PARTS, (part) => {
    if (part.startsWith('<') || part.startsWith('&') || !ANY.test(part)) return part;
    const isMixed = /[a-z]/i.test(part);
    return part.replace(EACH, (letter) => {
      const known = LIKE.get(letter);
      const isUsual = known ? !isMixed && isWritten(known.other) : isEastAsian && FULL_WIDTH.test(letter);
      const like = known?.like ?? letter.normalize('NFKC');
      return isUsual || !/^[a-z\d]$/i.test(like) || !takes() ? letter : mark(letter, like);
    });
  });
}

function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

function mark(letter: string, like: string): string {
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${OPEN}U+${code} ≠ ${like}">${letter}</span>`;
}
