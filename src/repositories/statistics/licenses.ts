import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listLicenses } from '../../instance/templates/licenses.ts';

const require = createRequire(import.meta.url);

/** Minimum similarity of a text and a license, from 0 to 1. */
const THRESHOLD = 0.85;
/** Minimum part of a license that the rest of a text with several licenses must contain, from 0 to 1. */
const CONTAINED = 0.95;
/** Minimum number of remaining word pairs to search for another license, and maximum number of licenses of a text. */
const MIN_PAIRS = 40;
const MAX_LICENSES = 10;
/** A longer license file is not compared. */
const MAX_LENGTH = 256 * 1024;

interface Known {
  key: string;
  /** Hashes of word pairs, sorted. */
  pairs: Uint32Array;
}

let known: Promise<readonly Known[]> | undefined;

/**
 * The licenses in a text: SPDX identifiers in alphabetical order, none if nothing is similar. First the most similar one to the
 * whole text, or else the longest contained one, then those of the rest.
 * Only words are compared, not layout or copyright holders.
 */
export async function detectLicenses(text: string): Promise<string[]> {
  if (text.length > MAX_LENGTH) return [];
  known ??= readLicenses();
  const licenses = await known;
  const found: string[] = [];
  let pairs = pairsOf(text);
  let license = mostAlike(pairs, licenses) ?? longestWithin(pairs, licenses);
  while (license && found.length < MAX_LICENSES) {
    found.push(license.key);
    pairs = without(pairs, license.pairs);
    license = longestWithin(pairs, licenses);
  }
  return found.sort();
}

function mostAlike(pairs: Uint32Array, licenses: readonly Known[]): Known | undefined {
  let best: { license: Known; likeness: number } | undefined;
  for (const license of licenses) {
    const likeness = likenessOf(pairs, license.pairs);
    if (likeness >= THRESHOLD && likeness > (best?.likeness ?? 0)) best = { license, likeness };
  }
  return best?.license;
}

function longestWithin(pairs: Uint32Array, licenses: readonly Known[]): Known | undefined {
  let best: { license: Known; common: number } | undefined;
  for (const license of licenses) {
    if (license.pairs.length < MIN_PAIRS || CONTAINED * license.pairs.length > pairs.length) continue;
    const common = commonOf(pairs, license.pairs);
    if (common < CONTAINED * license.pairs.length) continue;
    // Of two with the same common part, the shorter one.
    if (common > (best?.common ?? 0) || (common === best?.common && license.pairs.length < best.license.pairs.length))
      best = { license, common };
  }
  return best?.license;
}

/** The difference of sorted multisets. */
function without(pairs: Uint32Array, taken: Uint32Array): Uint32Array {
  const left: number[] = [];
  let j = 0;
  for (const pair of pairs) {
    while (j < taken.length && (taken[j] ?? 0) < pair) j++;
    if (taken[j] === pair) j++;
    else left.push(pair);
  }
  return Uint32Array.from(left);
}

/**
 * Every license of the SPDX list, those that the instance offers first: they win if two are equal. Loaded one by one, so that requests
 * are served in between.
 */
async function readLicenses(): Promise<readonly Known[]> {
  const folder = join(dirname(require.resolve('spdx-license-list')), 'licenses');
  const names = require('spdx-license-list/simple') as Iterable<string>;
  const all: Known[] = [];
  for (const key of new Set([...listLicenses(), ...names])) {
    const { licenseText } = JSON.parse(await readFile(join(folder, `${key}.json`), 'utf8')) as { licenseText: string };
    const pairs = pairsOf(licenseText);
    if (pairs.length > 0) all.push({ key, pairs });
  }
  return all;
}

/** Pairs of consecutive words, without copyright lines, placeholders and punctuation. */
function pairsOf(text: string): Uint32Array {
  const words = text
    .toLowerCase()
    .split('\n')
    .filter((line) => !isCopyright(line))
    .join('\n')
    .replace(/<[^<>\n]{1,80}>|\[[^[\]\n]{1,80}\]/g, ' ')
    .match(/[\p{L}\p{N}]+/gu);
  if (!words || words.length < 2) return new Uint32Array();
  const hashes = new Uint32Array(words.length - 1);
  for (let i = 1; i < words.length; i++) hashes[i - 1] = hashOf(`${words[i - 1]} ${words[i]}`);
  return hashes.sort();
}

/** Whether a line names the copyright holder: with a sign, a year or a placeholder. */
function isCopyright(line: string): boolean {
  const at = line.search(/\bcopyright\b/);
  return at !== -1 && /\(c\)|©|\d{4}|<|\[/.test(line.slice(at + 'copyright'.length));
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Sørensen–Dice coefficient: twice the common part, divided by both sizes. */
function likenessOf(a: Uint32Array, b: Uint32Array): number {
  const shorter = Math.min(a.length, b.length);
  // Texts whose lengths differ too much are not compared.
  if ((2 * shorter) / (a.length + b.length) < THRESHOLD) return 0;
  return (2 * commonOf(a, b)) / (a.length + b.length);
}

/** The number of common elements of sorted lists. */
function commonOf(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] ?? 0;
    const right = b[j] ?? 0;
    if (left === right) common++;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return common;
}
