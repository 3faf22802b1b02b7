import type { AccessLevel, UnitName } from '../../database/tables/repositories.ts';
import { unprocessable } from '../../http/errors.ts';

/** What a team may do in each unit that it may use at all. */
export type TeamUnits = ReadonlyMap<UnitName, AccessLevel>;

/** Every unit that a team can be given a level in, in the order of the wire. */
export const TEAM_UNITS: readonly UnitName[] = [
  'actions',
  'code',
  'ext_issues',
  'ext_wiki',
  'issues',
  'packages',
  'projects',
  'pulls',
  'releases',
  'wiki',
];

/** The levels by their words on the wire. */
const LEVELS: readonly string[] = ['none', 'read', 'write', 'admin', 'owner'];

/** The word of a level: `none`, `read`, `write`, `admin` or `owner`. */
export function levelName(level: AccessLevel): string {
  return LEVELS[level] ?? 'none';
}

/** How a unit is called on the wire: `repo.code`. */
export function unitKey(unit: UnitName): string {
  return `repo.${unit}`;
}

/** All units at one level; trackers and wikis elsewhere can only be read from here. */
export function allUnits(level: AccessLevel): TeamUnits {
  return new Map(
    TEAM_UNITS.map((unit) => [unit, unit === 'ext_issues' || unit === 'ext_wiki' ? (Math.min(level, 1) as AccessLevel) : level]),
  );
}

/** The units out of a list of keys, all at one level; keys that are no units count as not given, and case does not. */
export function unitsFromKeys(keys: readonly string[], level: AccessLevel): TeamUnits {
  const given = new Set(keys.map((key) => key.toLowerCase()));
  return new Map(TEAM_UNITS.filter((unit) => given.has(unitKey(unit))).map((unit) => [unit, level]));
}

/**
 * The units out of a map from key to the word of a level; keys that are no units count as not given, and case does not.
 * `owner` is what the team of owners alone has: for others it means none.
 * @throws HttpError 422 for a word that is no level
 */
export function unitsFromMap(map: Readonly<Record<string, string>>): TeamUnits {
  const units = new Map<UnitName, AccessLevel>();
  const words = new Map(Object.entries(map).map(([key, word]) => [key.toLowerCase(), word]));
  for (const unit of TEAM_UNITS) {
    const word = words.get(unitKey(unit));
    if (word === undefined) continue;
    const level = LEVELS.indexOf(word);
    if (level < 0) throw unprocessable(`no such access level: ${word.slice(0, 100)}`);
    units.set(unit, (level === 4 ? 0 : level) as AccessLevel);
  }
  return units;
}
