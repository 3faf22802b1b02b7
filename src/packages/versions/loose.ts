import type { VersionOrder } from './compare.ts';

/** A version of any number of numbers, such as `v1.2`, `1.2.3.4` or `1.2.3-beta.1+build`. */
export interface LooseVersion {
  /** At least three. */
  readonly numbers: readonly number[];
  /** Empty for a release. */
  readonly prerelease: string;
  readonly build: string;
}

/** Length limit of a version in characters. */
const MAX_LENGTH = 255;
const STRICT = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*))?(?:\+([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*))?$/;
/** The hyphen before what is not a release may be missing. */
const LOOSE =
  /^v?(\d+(?:\.\d+)*)(?:-?([A-Za-z~-][0-9A-Za-z~-]*(?:\.[0-9A-Za-z~-]+)*)|-(\d[0-9A-Za-z~-]*(?:\.[0-9A-Za-z~-]+)*))?(?:\+([0-9A-Za-z~-]+(?:\.[0-9A-Za-z~-]+)*))?$/;

/** Reads a version that has a hyphen before what is not a release; undefined for an invalid one. */
export function parseVersion(text: string): LooseVersion | undefined {
  const [, numbers, prerelease, build] = (text.length <= MAX_LENGTH && STRICT.exec(text)) || [];
  return versionOf(numbers, prerelease, build);
}

/** Reads a version also without that hyphen, such as `1.0rc1`; undefined for an invalid one. */
export function parseLooseVersion(text: string): LooseVersion | undefined {
  const [, numbers, word, number, build] = (text.length <= MAX_LENGTH && LOOSE.exec(text)) || [];
  return versionOf(numbers, word ?? number, build);
}

/** As it is written: with three numbers or more, without zeros before them. */
export function formatVersion({ numbers, prerelease, build }: LooseVersion): string {
  return `${numbers.join('.')}${prerelease && `-${prerelease}`}${build && `+${build}`}`;
}

/** The order of semantic versions, of whatever length; builds do not count. */
export function compareVersions(a: LooseVersion, b: LooseVersion): number {
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at++) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === '' || b.prerelease === '') return a.prerelease === '' ? 1 : -1;
  return comparePrereleases(a.prerelease.split('.'), b.prerelease.split('.'));
}

/** {@link compareVersions} of texts; those that are not versions come first, by their letters. */
export const byLooseVersion: VersionOrder = (a, b) => {
  const [first, second] = [parseLooseVersion(a), parseLooseVersion(b)];
  if (first && second) return compareVersions(first, second);
  if (first || second) return first ? 1 : -1;
  return a < b ? -1 : Number(a > b);
};

/** The highest of some versions by {@link byLooseVersion}, the first of those that are the same. */
export function highestVersion<Version extends { readonly version: string }>(versions: readonly Version[]): Version | undefined {
  let highest: { found: Version; parsed: LooseVersion | undefined } | undefined;
  // From the end: in lists by name the highest are there, and thousands of others need not be read.
  for (let at = versions.length - 1; at >= 0; at--) {
    const found = versions[at];
    if (!found) break;
    if (highest?.parsed && isLower(found.version, highest.parsed.numbers)) continue;
    const parsed = parseLooseVersion(found.version);
    const order = !highest
      ? 1
      : parsed && highest.parsed
        ? compareVersions(parsed, highest.parsed)
        : byLooseVersion(found.version, highest.found.version);
    if (order >= 0) highest = { found, parsed };
  }
  return highest?.found;
}

const [ZERO, DOT] = [48, 46];

/** Whether a version is written as three short numbers, such as `1.10.2`, and lower by them; false for all others. */
function isLower(text: string, than: readonly number[]): boolean {
  if (text.length > 20) return false;
  let [part, number, digits, order] = [0, 0, 0, 0];
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : DOT;
    if (code >= ZERO && code <= ZERO + 9) {
      number = number * 10 + code - ZERO;
      digits++;
    } else {
      if (code !== DOT || digits === 0 || digits > 9) return false;
      if (order === 0) order = number - (than[part] ?? 0);
      part++;
      [number, digits] = [0, 0];
    }
  }
  return part === 3 && order < 0;
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const difference = comparePart(part, other);
    if (difference !== 0) return difference;
  }
  return -1;
}

/** Numbers come before words, and are ordered by their value. */
function comparePart(a: string, b: string): number {
  const [first, second] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (first !== second) return first ? -1 : 1;
  if (first) return Math.sign(Number(a) - Number(b));
  return a < b ? -1 : Number(a > b);
}

function versionOf(numbers: string | undefined, prerelease = '', build = ''): LooseVersion | undefined {
  const all = numbers?.split('.').map(Number);
  if (!all?.every(Number.isSafeInteger)) return undefined;
  while (all.length < 3) all.push(0);
  return { numbers: all, prerelease, build };
}
