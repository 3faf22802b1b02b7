import { compare as comparePep440, valid as isPep440 } from '@renovatebot/pep440';
import { gt as isAfterRuby, lt as isBeforeRuby, valid as isRuby } from '@renovatebot/ruby-semver';
import { compareBuild, valid as isSemver } from 'semver';

/** Compares two versions: negative if `a` comes first. */
export type VersionOrder = (a: string, b: string) => number;

/** Semantic versions (semver.org), with their builds; those that are none come first, by their letters. */
export const bySemver: VersionOrder = orderOf((version) => isSemver(version) !== null, compareBuild);

/** Versions of Python (PEP 440); those that are none come first, by their letters. */
export const byPep440: VersionOrder = orderOf((version) => isPep440(version) !== null, comparePep440);

/** Versions of Ruby (Gem::Version); those that are none come first, by their letters. */
export const byRubyVersion: VersionOrder = orderOf(
  (version) => isRuby(version) !== null,
  (a, b) => Number(isAfterRuby(a, b)) - Number(isBeforeRuby(a, b)),
);

function orderOf(isVersion: (version: string) => boolean, compare: VersionOrder): VersionOrder {
  return (a, b) => {
    const [first, second] = [isVersion(a), isVersion(b)];
    if (first && second) return compare(a, b);
    if (first !== second) return first ? 1 : -1;
    return a < b ? -1 : Number(a > b);
  };
}

/** Versions that are numbers with dots, such as 1.10; a number that is left out is 0. */
export const byNumbers: VersionOrder = (a, b) => {
  const [first, second] = [a, b].map((version) => version.split('.').map((number) => number.replace(/^0+/, '')));
  for (let at = 0; at < Math.max(first?.length ?? 0, second?.length ?? 0); at++) {
    const [left, right] = [first?.[at] ?? '', second?.[at] ?? ''];
    if (left.length !== right.length) return left.length - right.length;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
};
