import type { AccessLevel, MergeStyle, UnitSettings, Units } from '../../../../database/tables/repositories.ts';
import { defaultProjects, defaultPulls } from '../../../../repositories/units.ts';
import type { Settings } from '../../../../settings.ts';
import type { Row } from '../../source/row.ts';
import { unitOf } from '../../units.ts';

type Config = Readonly<Record<string, unknown>>;

const MERGE_STYLES: readonly MergeStyle[] = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged'];

/** The units of a repository, from the rows of Gitea's table `repo_unit`. */
export function readUnits(settings: Settings, rows: readonly Row[]): Units {
  const units: Units = {};
  for (const row of rows) {
    const name = unitOf(row.integer('type'));
    const value = row.json('config');
    const config = typeof value === 'object' && value !== null ? (value as Config) : {};
    const access = accessOf(row);
    if (name === 'issues') units.issues = { ...readIssues(config), ...access };
    else if (name === 'pulls') units.pulls = { ...readPulls(settings, config), ...access };
    else if (name === 'projects') units.projects = { ...readProjects(config), ...access };
    else if (name === 'ext_issues') units.ext_issues = { ...readTracker(config), ...access };
    else if (name === 'ext_wiki') units.ext_wiki = { url: text(config, 'ExternalWikiURL'), ...access };
    else if (name !== undefined) units[name] = access;
  }
  return units;
}

function accessOf(row: Row): UnitSettings {
  const level = (column: string) => Math.min(Math.max(row.integer(column), 0), 2) as AccessLevel;
  const anonymous = level('anonymous_access_mode');
  // Forgejo has a separate level for everybody, in which 2 is read.
  const everyone = Math.max(level('everyone_access_mode'), Math.min(Math.max(row.integer('default_permissions') - 1, 0), 2)) as AccessLevel;
  return { ...(anonymous > 0 && { anonymousAccess: anonymous }), ...(everyone > 0 && { everyoneAccess: everyone }) };
}

/** Gitea takes what is missing here, as in old repositories, for switched off, unlike with pull requests. */
function readIssues(config: Config) {
  return {
    timeTracking: flag(config, 'EnableTimetracker', false),
    onlyContributorsTrackTime: flag(config, 'AllowOnlyContributorsToTrackTime', false),
    dependencies: flag(config, 'EnableDependencies', false),
  };
}

function readPulls(settings: Settings, config: Config) {
  const defaults = defaultPulls(settings);
  return {
    ignoreWhitespaceConflicts: flag(config, 'IgnoreWhitespaceConflicts', defaults.ignoreWhitespaceConflicts),
    allowMerge: flag(config, 'AllowMerge', defaults.allowMerge),
    allowRebase: flag(config, 'AllowRebase', defaults.allowRebase),
    allowRebaseMerge: flag(config, 'AllowRebaseMerge', defaults.allowRebaseMerge),
    allowSquash: flag(config, 'AllowSquash', defaults.allowSquash),
    allowFastForwardOnly: flag(config, 'AllowFastForwardOnly', defaults.allowFastForwardOnly),
    allowManualMerge: flag(config, 'AllowManualMerge', defaults.allowManualMerge),
    autodetectManualMerge: flag(config, 'AutodetectManualMerge', defaults.autodetectManualMerge),
    allowRebaseUpdate: flag(config, 'AllowRebaseUpdate', defaults.allowRebaseUpdate),
    defaultDeleteBranchAfterMerge: flag(config, 'DefaultDeleteBranchAfterMerge', defaults.defaultDeleteBranchAfterMerge),
    defaultMergeStyle: MERGE_STYLES.find((style) => style === config.DefaultMergeStyle) ?? defaults.defaultMergeStyle,
    defaultAllowMaintainerEdit: flag(config, 'DefaultAllowMaintainerEdit', defaults.defaultAllowMaintainerEdit),
    defaultTargetBranch: text(config, 'DefaultTargetBranch'),
  };
}

function readProjects(config: Config) {
  const mode = (['repo', 'owner', 'all'] as const).find((word) => word === config.ProjectsMode);
  return mode === undefined ? defaultProjects() : { mode };
}

function readTracker(config: Config) {
  return {
    url: text(config, 'ExternalTrackerURL'),
    format: text(config, 'ExternalTrackerFormat'),
    style: text(config, 'ExternalTrackerStyle'),
    pattern: text(config, 'ExternalTrackerRegexpPattern'),
  };
}

function flag(config: Config, key: string, missing: boolean): boolean {
  const value = config[key];
  return typeof value === 'boolean' ? value : missing;
}

function text(config: Config, key: string): string {
  const value = config[key];
  return typeof value === 'string' ? value.slice(0, 2048) : '';
}
