import type { ActionPermissions } from '../database/tables/actions.ts';
import type { AccessLevel, UnitName } from '../database/tables/repositories.ts';

/** The units that the token of a job can reach. */
export const JOB_UNITS = ['code', 'issues', 'pulls', 'packages', 'actions', 'wiki', 'releases', 'projects'] as const;

/** What tokens get where a workflow does not say: all that a writer may, or to read what {@link READING} has. */
export const TOKEN_MODES = ['permissive', 'restricted'] as const;

/** What the tokens of jobs may do, by the settings of a repository or of its owner. */
export interface TokenSettings {
  readonly mode: (typeof TOKEN_MODES)[number];
  /** By unit; null for no limit. A unit that is left out is closed. */
  readonly maximum: ActionPermissions | null;
}

/** Where nobody has set anything. */
export const DEFAULT_TOKEN_SETTINGS: TokenSettings = { mode: 'permissive', maximum: null };

/** What a token may do in each unit. */
export type JobLevels = ReadonlyMap<UnitName, AccessLevel>;

/** To read what a workflow works with: all that jobs get in other repositories, and jobs for pull requests from forks. */
const READING: ActionPermissions = { code: 'read', packages: 'read', releases: 'read' };
const LEVELS = { none: 0, read: 1, write: 2 } as const;

/**
 * What the token of a job may do in its repository: what its workflow says, within what the settings allow.
 * @param declared null where the workflow does not say
 * @param isFork the job is for a pull request from a fork: it runs code of somebody who may not write
 */
export function jobLevels(declared: ActionPermissions | null, settings: TokenSettings, isFork: boolean): JobLevels {
  const wanted = declared ?? (settings.mode === 'restricted' ? READING : null);
  return lowest(wanted, settings.maximum, isFork ? READING : null);
}

/** What of these levels is left in another repository, which has a maximum of its own. */
export function levelsElsewhere(levels: JobLevels, maximum: ActionPermissions | null): JobLevels {
  const most = lowest(READING, maximum);
  return new Map(JOB_UNITS.map((unit) => [unit, Math.min(levels.get(unit) ?? 0, most.get(unit) ?? 0) as AccessLevel]));
}

/** What all of these allow; null allows everything. */
function lowest(...limits: readonly (ActionPermissions | null)[]): JobLevels {
  const level = (limit: ActionPermissions | null, unit: UnitName) => (limit === null ? 2 : LEVELS[limit[unit] ?? 'none']);
  return new Map(JOB_UNITS.map((unit) => [unit, Math.min(...limits.map((limit) => level(limit, unit))) as AccessLevel]));
}
