import type { ExternalTrackerSettings, IssuesSettings, PullsSettings, UnitName, Units } from '../../database/tables/repositories.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import type { Settings } from '../../settings.ts';
import type { EditRepoOption } from '../schema.ts';
import { defaultProjects, defaultPulls, isUnitOffered } from '../units.ts';

type Body = Shape<typeof EditRepoOption>;

/** Maximum length of a text in a unit's settings. */
const MAX_TEXT = 2048;

/** The API's names of the boolean pull request settings. */
const SWITCHES = {
  ignore_whitespace_conflicts: 'ignoreWhitespaceConflicts',
  allow_merge_commits: 'allowMerge',
  allow_rebase: 'allowRebase',
  allow_rebase_explicit: 'allowRebaseMerge',
  allow_squash_merge: 'allowSquash',
  allow_fast_forward_only_merge: 'allowFastForwardOnly',
  allow_manual_merge: 'allowManualMerge',
  autodetect_manual_merge: 'autodetectManualMerge',
  allow_rebase_update: 'allowRebaseUpdate',
  default_delete_branch_after_merge: 'defaultDeleteBranchAfterMerge',
  default_allow_maintainer_edit: 'defaultAllowMaintainerEdit',
} as const satisfies Partial<Record<keyof Body, keyof PullsSettings>>;

/** The units without settings of their own. */
const PLAIN = { has_code: 'code', has_releases: 'releases', has_packages: 'packages', has_actions: 'actions' } as const;

/**
 * The units of a repository after an edit. Units that the instance has disabled for all stay unchanged; the public access of a
 * unit stays when its settings change.
 * @throws HttpError 422 for URLs that are not external
 */
export function editedUnits(settings: Settings, units: Units, body: Body): Units {
  const offered = (unit: UnitName) => isUnitOffered(settings, unit);
  const after: Units = { ...units };
  editTracker(settings, after, body);
  editWiki(settings, after, body);
  for (const [field, unit] of Object.entries(PLAIN) as [keyof typeof PLAIN, 'code'][]) {
    const wanted = body[field];
    if (wanted === undefined || !offered(unit)) continue;
    if (wanted) after[unit] ??= {};
    else delete after[unit];
  }
  if (offered('pulls')) editPulls(settings, after, body);
  editProjects(offered('projects') ? after : {}, body);
  return after;
}

function editTracker(settings: Settings, units: Units, { has_issues: wanted, internal_tracker, external_tracker }: Body): void {
  if (wanted === undefined) return;
  const external = isUnitOffered(settings, 'ext_issues');
  const internal = isUnitOffered(settings, 'issues');
  if (!wanted) {
    if (external) delete units.ext_issues;
    if (internal) delete units.issues;
  } else if (external_tracker && external) {
    units.ext_issues = { ...units.ext_issues, ...checkedTracker(settings, external_tracker) };
    delete units.issues;
  } else if (!external_tracker && internal) {
    units.issues = { ...units.issues, ...internalTracker(internal_tracker, units.issues) };
    delete units.ext_issues;
  }
}

function internalTracker(given: Body['internal_tracker'], before: IssuesSettings | undefined): IssuesSettings {
  if (!given) return before ?? { timeTracking: true, onlyContributorsTrackTime: true, dependencies: true };
  return {
    timeTracking: given.enable_time_tracker ?? false,
    onlyContributorsTrackTime: given.allow_only_contributors_to_track_time ?? false,
    dependencies: given.enable_issue_dependencies ?? false,
  };
}

function checkedTracker(settings: Settings, given: NonNullable<Body['external_tracker']>): ExternalTrackerSettings {
  const tracker = {
    url: given.external_tracker_url ?? '',
    format: given.external_tracker_format ?? '',
    style: given.external_tracker_style ?? '',
    pattern: given.external_tracker_regexp_pattern ?? '',
  };
  if (!isOutside(settings, tracker.url)) throw unprocessable('External tracker URL not valid');
  if (tracker.format !== '' && !isTrackerFormat(settings, tracker.format)) throw unprocessable('External tracker URL format not valid');
  if (tracker.style.length > MAX_TEXT || tracker.pattern.length > MAX_TEXT) throw unprocessable('External tracker style is too long');
  return tracker;
}

function editWiki(settings: Settings, units: Units, { has_wiki: wanted, external_wiki }: Body): void {
  if (wanted === undefined) return;
  const external = isUnitOffered(settings, 'ext_wiki');
  const internal = isUnitOffered(settings, 'wiki');
  if (!wanted) {
    if (external) delete units.ext_wiki;
    if (internal) delete units.wiki;
  } else if (external_wiki && external) {
    const url = external_wiki.external_wiki_url ?? '';
    if (!isOutside(settings, url)) throw unprocessable('Invalid external wiki URL');
    units.ext_wiki = { ...units.ext_wiki, url };
    delete units.wiki;
  } else if (!external_wiki && internal) {
    units.wiki ??= {};
    delete units.ext_wiki;
  }
}

/** A changed setting also enables the unit, as clients rely on. */
function editPulls(settings: Settings, units: Units, body: Body): void {
  if (body.has_pull_requests === false) {
    delete units.pulls;
    return;
  }
  const after = { ...(units.pulls ?? defaultPulls(settings)) };
  let changed = body.has_pull_requests === true;
  for (const [field, name] of Object.entries(SWITCHES) as [keyof typeof SWITCHES, (typeof SWITCHES)[keyof typeof SWITCHES]][]) {
    const value = body[field];
    if (value === undefined || value === after[name]) continue;
    after[name] = value;
    changed = true;
  }
  if (body.default_merge_style !== undefined && body.default_merge_style !== after.defaultMergeStyle) {
    if (body.default_merge_style.length > MAX_TEXT) throw unprocessable('[DefaultMergeStyle]: MaxSize');
    after.defaultMergeStyle = body.default_merge_style;
    changed = true;
  }
  if (changed) units.pulls = after;
}

/** No mode means all of them. */
const PROJECT_MODES = ['repo', 'owner', 'all', ''] as const;

function editProjects(units: Units, { has_projects: wanted, projects_mode: given }: Body): void {
  const mode = PROJECT_MODES.find((known) => known === given);
  if (wanted === false) delete units.projects;
  else if (wanted) units.projects = { ...(units.projects ?? defaultProjects()), ...(mode !== undefined && { mode }) };
}

/** Whether a URL is an external web page. */
function isOutside({ server }: Settings, address: string): boolean {
  if (address.length > MAX_TEXT || !/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return false;
  if (address.toLowerCase().startsWith(`${server.rootUrl}api`.toLowerCase())) return false;
  const { hostname } = new URL(address);
  return hostname !== 'localhost' && hostname !== '[::1]' && !/^127\./.test(hostname);
}

/** Whether a URL is valid with `{user}`, `{repo}` and `{index}`: none of them with only one of its braces. */
function isTrackerFormat(settings: Settings, address: string): boolean {
  if (!isOutside(settings, address)) return false;
  return [...address.matchAll(/(\{?)(?:user|repo|index)(\}?)/g)].every(([, open, close]) => (open === '') === (close === ''));
}
