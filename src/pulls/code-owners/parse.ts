/** A line of a file of code owners. */
export interface OwnerRule {
  /** An expression that the whole path has to match. */
  readonly pattern: string;
  /** It stands for the paths that do not match. */
  readonly isNegative: boolean;
  /** Names of users, and `organization/team`. */
  readonly owners: readonly string[];
}

/** Rules that one file can have; those after them are passed over. */
const MAX_RULES = 2000;

/** Reads a file of code owners; lines that say nothing are passed over. */
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

/** Words are parted by white space, and end at a `#`; a backslash takes the meaning from what follows. */
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
