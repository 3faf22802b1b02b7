import type { IssuesSettings, ProjectsSettings, PullsSettings, UnitName, Units } from '../database/tables/repositories.ts';
import type { Settings } from '../settings.ts';

/** The kind of a new repository, which determines its units. */
export type NewRepositoryKind = 'plain' | 'fork' | 'mirror' | 'template';

/** The units of a new repository, by the instance's settings. External trackers and wikis are never included: they need a URL. */
export function defaultUnits(settings: Settings, kind: NewRepositoryKind): Units {
  const { defaultUnits, defaultForkUnits, defaultMirrorUnits, defaultTemplateUnits, disabledUnits } = settings.repository;
  const names = { plain: defaultUnits, fork: defaultForkUnits, mirror: defaultMirrorUnits, template: defaultTemplateUnits }[kind];
  const units: Units = {};
  for (const name of names) {
    if (disabledUnits.includes(name)) continue;
    if (name === 'issues') units.issues = defaultIssues(settings);
    else if (name === 'pulls') units.pulls = defaultPulls(settings);
    else if (name === 'projects') units.projects = defaultProjects();
    else if (name !== 'ext_issues' && name !== 'ext_wiki') units[name] = {};
  }
  return units;
}

/** The issue settings of a new repository. */
export function defaultIssues({ issues }: Settings): IssuesSettings {
  return {
    timeTracking: issues.defaultTimeTracking,
    onlyContributorsTrackTime: issues.defaultContributorsOnlyTrackTime,
    dependencies: issues.defaultDependencies,
  };
}

/** The pull request settings of a new repository. */
export function defaultPulls({ pulls }: Settings): PullsSettings {
  return {
    ignoreWhitespaceConflicts: false,
    allowMerge: true,
    allowRebase: true,
    allowRebaseMerge: true,
    allowSquash: true,
    allowFastForwardOnly: true,
    allowManualMerge: false,
    autodetectManualMerge: false,
    allowRebaseUpdate: true,
    defaultDeleteBranchAfterMerge: pulls.defaultDeleteBranchAfterMerge,
    defaultMergeStyle: pulls.defaultMergeStyle,
    defaultAllowMaintainerEdit: true,
    defaultTargetBranch: '',
  };
}

/** The project settings of a new repository. */
export function defaultProjects(): ProjectsSettings {
  return { mode: 'all' };
}

/** Whether the instance allows this unit. */
export function isUnitOffered(settings: Settings, unit: UnitName): boolean {
  return !settings.repository.disabledUnits.includes(unit);
}
