import type { ActionPermissions } from '../database/tables/actions.ts';
import type { AccessLevel, UnitName } from '../database/tables/repositories.ts';

/** The units that the token of a job can reach. */
export const JOB_UNITS = ['code', 'issues', 'pulls', 'packages', 'actions', 'wiki', 'releases', 'projects'] as const;

/** The permissions of tokens whose workflow declares none: those of a writer, or reading what {@link READING} has. */
export const TOKEN_MODES = ['permissive', 'restricted'] as const;

/** The permissions of job tokens in the settings of a repository or its owner. */
export interface TokenSettings {
  readonly mode: (typeof TOKEN_MODES)[number];
  /** By unit; null for no limit. A unit that is left out is not accessible. */
  readonly maximum: ActionPermissions | null;
}

/** Used where nobody has set anything. */
export const DEFAULT_TOKEN_SETTINGS: TokenSettings = { mode: 'permissive', maximum: null };

/** The access level of a token for each unit. */
export type JobLevels = ReadonlyMap<UnitName, AccessLevel>;

/** Read access to what a workflow needs: the most for jobs in other repositories, and for pull requests from forks. */
const READING: ActionPermissions = { code: 'read', packages: 'read', releases: 'read' };
const LEVELS = { none: 0, read: 1, write: 2 } as const;

/**
 * The access levels of a job's token in its repository: what its workflow declares, limited by the settings.
 * @param declared null where the workflow declares none
 * @param isFork the job is for a pull request from a fork: it runs code of a user without write access
 */
export function jobLevels(declared: ActionPermissions | null, settings: TokenSettings, isFork: boolean): JobLevels {
  const wanted = declared ?? (settings.mode === 'restricted' ? READING : null);
  return lowest(wanted, settings.maximum, isFork ? READING : null);
}

/** These levels, limited by the maximum of another repository. */
export function levelsElsewhere(levels: JobLevels, maximum: ActionPermissions | null): JobLevels {
  const most = lowest(READING, maximum);
  return new Map(JOB_UNITS.map((unit) => [unit, Math.min(levels.get(unit) ?? 0, most.get(unit) ?? 0) as AccessLevel]));
}

/** The intersection of these permissions; null allows everything. */
function lowest(...limits: readonly (ActionPermissions | null)[]): JobLevels {
  const level = (limit: ActionPermissions | null, unit: UnitName) => (limit === null ? 2 : LEVELS[limit[unit] ?? 'none']);
  return new Map(JOB_UNITS.map((unit) => [unit, Math.min(...limits.map((limit) => level(limit, unit))) as AccessLevel]));
}
