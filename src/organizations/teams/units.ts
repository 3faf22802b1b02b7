import type { AccessLevel, UnitName } from '../../database/tables/repositories.ts';

/** The level of a team for each unit that it may use. */
export type TeamUnits = ReadonlyMap<UnitName, AccessLevel>;

/** Every unit with a level for teams, in the order of the API. */
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

/** The API's words for levels. */
const LEVELS: readonly string[] = ['none', 'read', 'write', 'admin', 'owner'];

/** The word of a level: `none`, `read`, `write`, `admin` or `owner`. */
export function levelName(level: AccessLevel): string {
  return LEVELS[level] ?? 'none';
}

/** The API's key of a unit: `repo.code`. */
export function unitKey(unit: UnitName): string {
  return `repo.${unit}`;
}

/** All units at one level; external trackers and wikis can only be read. */
export function allUnits(level: AccessLevel): TeamUnits {
  return new Map(
    TEAM_UNITS.map((unit) => [unit, unit === 'ext_issues' || unit === 'ext_wiki' ? (Math.min(level, 1) as AccessLevel) : level]),
  );
}

/** The units of a list of keys, all at one level; unknown keys are ignored, and case does not matter. */
export function unitsFromKeys(keys: readonly string[], level: AccessLevel): TeamUnits {
  const given = new Set(keys.map((key) => key.toLowerCase()));
  return new Map(TEAM_UNITS.filter((unit) => given.has(unitKey(unit))).map((unit) => [unit, level]));
}

/**
 * The units of a map from keys to words of levels. Unknown keys are ignored, and their case does not matter; unknown words give no access,
 * and neither does `owner`, which only the owners' team has.
 */
export function unitsFromMap(map: Readonly<Record<string, string>>): TeamUnits {
  const units = new Map<UnitName, AccessLevel>();
  const words = new Map(Object.entries(map).map(([key, word]) => [key.toLowerCase(), word]));
  for (const unit of TEAM_UNITS) {
    const word = words.get(unitKey(unit));
    if (word === undefined) continue;
    const level = LEVELS.indexOf(word);
    units.set(unit, (level < 0 || level === 4 ? 0 : level) as AccessLevel);
  }
  return units;
}
