import type { AccessLevel, UnitName } from '../../database/tables/repositories.ts';

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

/** The levels that teams have, by their words on the wire. */
const LEVELS: readonly string[] = ['none', 'read', 'write', 'admin', 'owner'];

/** The word of a level: `none`, `read`, `write`, `admin` or `owner`. */
export function levelName(level: AccessLevel): string {
  return LEVELS[level] ?? 'none';
}

/** The highest level that a unit knows: external trackers and wikis can only be read from here. */
export function highestLevel(unit: UnitName): AccessLevel {
  return unit === 'ext_issues' || unit === 'ext_wiki' ? 1 : 4;
}
