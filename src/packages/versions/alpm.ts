import type { VersionOrder } from './compare.ts';

/** Orders versions of Arch Linux, `epoch:version-release`, as `vercmp` does (https://man.archlinux.org/man/vercmp.8). */
export const byAlpmVersion: VersionOrder = (a, b) => {
  const [first, second] = [partsOf(a), partsOf(b)];
  for (const part of ['epoch', 'version', 'release'] as const) {
    const order = compareParts(first[part], second[part]);
    if (order !== 0) return order;
  }
  return 0;
};

function partsOf(version: string): { epoch: string; version: string; release: string } {
  const colon = version.indexOf(':');
  const rest = version.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: colon < 0 ? '0' : version.slice(0, colon),
    version: dash < 0 ? rest : rest.slice(0, dash),
    release: dash < 0 ? '1' : rest.slice(dash + 1),
  };
}

/** Compares run by run: of digits by their number, of letters by their letters. A number is newer than letters. Letters
 * right after the end of the other version are older than it. */
function compareParts(a: string, b: string): number {
  const [first, second] = [runsOf(a), runsOf(b)];
  for (let at = 0; ; at++) {
    const [left, right] = [first[at], second[at]];
    if (!left && !right) return 0;
    if (!left || !right) {
      const rest = left ?? right;
      const isOlder = rest?.separators === 0 && /^[a-z]/i.test(rest.text);
      return (left ? 1 : -1) * (isOlder ? -1 : 1);
    }
    if (left.separators !== right.separators) return left.separators - right.separators;
    const order = compareRuns(left.text, right.text);
    if (order !== 0) return order;
  }
}

/** The runs of digits or letters, each with the number of other signs before it. */
function runsOf(text: string): { text: string; separators: number }[] {
  return [...text.matchAll(/([^a-z\d]*)(\d+|[a-z]+)/gi)].map(([, separators = '', run = '']) => ({
    text: run,
    separators: separators.length,
  }));
}

function compareRuns(a: string, b: string): number {
  const [first, second] = [/^\d/.test(a), /^\d/.test(b)];
  if (first !== second) return first ? 1 : -1;
  const [left, right] = first ? [a.replace(/^0+/, ''), b.replace(/^0+/, '')] : [a, b];
  if (first && left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
