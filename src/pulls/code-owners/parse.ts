/** A line of a code owners file. */
export interface OwnerRule {
  /** A regular expression for the whole path. */
  readonly pattern: string;
  /** It applies to the paths that do not match. */
  readonly isNegative: boolean;
  /** Names of users, and `organization/team`. */
  readonly owners: readonly string[];
}

/** Maximum number of rules in one file; later ones are ignored. */
const MAX_RULES = 2000;

/** Parses a code owners file; empty lines are skipped. */
export function parseCodeOwners(text: string): OwnerRule[] {
  const rules: OwnerRule[] = [];
  for (const line of text.split('\n')) {
    const [pattern = '', ...owners] = wordsOf(line);
    if (owners.length === 0) continue;
    if (rules.length === MAX_RULES) break;
    const isNegative = pattern.startsWith('!');
    rules.push({
      // Paths begin without a slash.
      pattern: pattern.slice(isNegative ? 1 : 0).replace(/^\//, ''),
      isNegative,
      owners: owners.map((owner) => owner.replace(/^@/, '')),
    });
  }
  return rules;
}

/** Words are separated by white space, and end at a `#`; a backslash escapes the next character. */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let isEscaped = false;
  for (const sign of line.trim().replaceAll('\t', ' ')) {
    if (isEscaped) {
      word += sign;
      isEscaped = false;
    } else if (sign === '\\') isEscaped = true;
    else if (sign === '#') break;
    else if (sign !== ' ') word += sign;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return word === '' ? words : [...words, word];
}
