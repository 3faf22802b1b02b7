import type { UnitName } from '../../database/tables/repositories.ts';

/** The parts of repositories, by Gitea's number (models/unit/unit.go, `Type`). */
const UNITS: readonly (UnitName | undefined)[] = [
  undefined,
  'code',
  'issues',
  'pulls',
  'releases',
  'wiki',
  'ext_wiki',
  'ext_issues',
  'projects',
  'packages',
  'actions',
];

/** The unit with this number of Gitea; undefined if there is none. */
export function unitOf(number: number): UnitName | undefined {
  return UNITS[number];
}
