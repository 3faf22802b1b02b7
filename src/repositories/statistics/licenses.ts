import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listLicenses } from '../../instance/templates/licenses.ts';

const require = createRequire(import.meta.url);

/** How alike a text must be to a license, from 0 to 1. */
const THRESHOLD = 0.85;
/** A license file beyond this many characters is none that is known. */
const MAX_LENGTH = 256 * 1024;

interface Known {
  key: string;
  /** Hashes of pairs of words, sorted. */
  pairs: Uint32Array;
}

let known: Promise<readonly Known[]> | undefined;

/**
 * The licenses that a text is: the SPDX identifiers of the one it is most like, none if it is like none.
 * Words count, not how they are laid out, and who holds the copyright does not matter.
 */
export async function detectLicenses(text: string): Promise<string[]> {
  if (text.length > MAX_LENGTH) return [];
  const pairs = pairsOf(text);
  let best: { key: string; likeness: number } | undefined;
  known ??= readLicenses();
  for (const license of await known) {
    const likeness = likenessOf(pairs, license.pairs);
    if (likeness >= THRESHOLD && likeness > (best?.likeness ?? 0)) best = { key: license.key, likeness };
  }
  return best ? [best.key] : [];
}

/**
 * Every license of the SPDX list, those that the instance offers first: a text that two have is theirs. Read one by one,
 * so that requests are answered in between.
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

/** Pairs of words that follow each other, without copyright lines, placeholders and punctuation. */
function pairsOf(text: string): Uint32Array {
  const words = text
    .toLowerCase()
    .replace(/^.*\bcopyright\b[^\n]*(\(c\)|©|\d{4}|<|\[)[^\n]*$/gm, ' ')
    .replace(/<[^<>\n]{1,80}>|\[[^[\]\n]{1,80}\]/g, ' ')
    .match(/[\p{L}\p{N}]+/gu);
  if (!words || words.length < 2) return new Uint32Array();
  const hashes = new Uint32Array(words.length - 1);
  for (let i = 1; i < words.length; i++) hashes[i - 1] = hashOf(`${words[i - 1]} ${words[i]}`);
  return hashes.sort();
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Sørensen–Dice: twice what both have, by what each has. */
function likenessOf(a: Uint32Array, b: Uint32Array): number {
  const shorter = Math.min(a.length, b.length);
  // What cannot be alike by length alone is not compared.
  if ((2 * shorter) / (a.length + b.length) < THRESHOLD) return 0;
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] ?? 0;
    const right = b[j] ?? 0;
    if (left === right) common++;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return (2 * common) / (a.length + b.length);
}
