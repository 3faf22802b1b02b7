import { array, boolean, define, defineOption, int64, nullable, oneOf, optional, ref, string, timestamp } from '../http/schema.ts';
import { RepoTransfer } from './transfer/schema.ts';

export const Permission = define(
  'Permission',
  {
    admin: boolean({ description: 'may change settings' }),
    push: boolean({ description: 'may write code' }),
    pull: boolean({ description: 'may read code' }),
  },
  { description: 'What the caller may do in a repository.' },
);

export const InternalTracker = define(
  'InternalTracker',
  {
    enable_time_tracker: boolean({ description: 'issues track time' }),
    allow_only_contributors_to_track_time: boolean({ description: 'only contributors track time' }),
    enable_issue_dependencies: boolean({ description: 'issues and pull requests may depend on others' }),
  },
  { description: 'Settings of the own issue tracker.' },
);

export const ExternalTracker = define(
  'ExternalTracker',
  {
    external_tracker_url: string({ description: 'URL of the tracker' }),
    external_tracker_format: string({ description: 'URL of an issue, with {user}, {repo} and {index}' }),
    external_tracker_style: string({ description: 'how issues are numbered: numeric, alphanumeric or regexp' }),
    external_tracker_regexp_pattern: string({ description: 'the pattern of references for the style regexp' }),
  },
  { description: 'Settings of an issue tracker elsewhere.' },
);

export const ExternalWiki = define(
  'ExternalWiki',
  { external_wiki_url: string({ description: 'URL of the wiki' }) },
  { description: 'Settings of a wiki elsewhere.' },
);

/** Common fields of repositories and of their changes. */
const unitsAndMerges = {
  has_releases: boolean(),
  has_packages: boolean(),
  has_actions: boolean(),
  ignore_whitespace_conflicts: boolean(),
  allow_merge_commits: boolean({ goName: 'AllowMerge' }),
  allow_rebase: boolean(),
  allow_rebase_explicit: boolean({ goName: 'AllowRebaseMerge' }),
  allow_squash_merge: boolean({ goName: 'AllowSquash' }),
  allow_fast_forward_only_merge: boolean({ goName: 'AllowFastForwardOnly' }),
};
const mergeDefaults = {
  default_delete_branch_after_merge: boolean(),
  default_merge_style: string(),
  default_allow_maintainer_edit: boolean(),
};

export const Repository = define(
  'Repository',
  {
    id: int64(),
    owner: nullable(ref('User')),
    name: string(),
    full_name: string({ description: 'owner/name' }),
    description: string(),
    empty: boolean({ description: 'has no commit yet' }),
    private: boolean(),
    fork: boolean(),
    template: boolean({ description: 'others can be generated from it' }),
    parent: optional(ref('Repository')),
    mirror: boolean({ description: 'follows another repository' }),
    size: int64({ description: 'KiB' }),
    language: string({ description: 'the language with the most bytes' }),
    languages_url: string(),
    html_url: string({ goName: 'HTMLURL' }),
    url: string(),
    link: string(),
    ssh_url: string({ goName: 'SSHURL' }),
    clone_url: string(),
    original_url: string({ description: 'where it was migrated or mirrored from' }),
    website: string(),
    stars_count: int64({ goName: 'Stars' }),
    forks_count: int64({ goName: 'Forks' }),
    watchers_count: int64({ goName: 'Watchers' }),
    branch_count: int64(),
    open_issues_count: int64({ goName: 'OpenIssues' }),
    open_pr_counter: int64({ goName: 'OpenPulls' }),
    release_counter: int64({ goName: 'Releases' }),
    default_branch: string(),
    default_target_branch: optional(string({ description: 'where new pull requests go, if not to the default branch' })),
    archived: boolean({ description: 'nothing in it can be changed' }),
    created_at: timestamp({ goName: 'Created' }),
    updated_at: timestamp({ goName: 'Updated' }),
    archived_at: timestamp(),
    permissions: optional(ref(Permission)),
    has_code: boolean(),
    has_issues: boolean(),
    internal_tracker: optional(ref(InternalTracker)),
    external_tracker: optional(ref(ExternalTracker)),
    has_wiki: boolean(),
    external_wiki: optional(ref(ExternalWiki)),
    has_pull_requests: boolean(),
    has_projects: boolean(),
    projects_mode: string({ description: 'the owner of the shown projects: repo, owner or all' }),
    ...unitsAndMerges,
    allow_rebase_update: boolean(),
    allow_manual_merge: boolean(),
    autodetect_manual_merge: boolean(),
    ...mergeDefaults,
    avatar_url: string(),
    internal: boolean({ description: 'public, but its owner is private' }),
    mirror_interval: string({ description: 'time between updates of a mirror, such as 8h0m0s' }),
    object_format_name: oneOf(['sha1', 'sha256']),
    mirror_updated: timestamp({ description: 'when a mirror was last brought up to date' }),
    repo_transfer: optional(ref(RepoTransfer)),
    topics: array(string()),
    licenses: array(string(), { description: 'SPDX identifiers' }),
  },
  { description: 'A repository.' },
);

export const CreateRepoOption = defineOption(
  'CreateRepoOption',
  {
    name: string({ maxLength: 100, rule: 'AlphaDashDot', description: 'name, unique for its owner' }),
    description: string({ maxLength: 2048 }),
    private: boolean(),
    issue_labels: string({ maxLength: 255, description: 'name of a label template' }),
    auto_init: boolean({ description: 'begins with a commit of a README' }),
    template: boolean({ description: 'others can be generated from it' }),
    gitignores: string({ description: 'names of .gitignore templates, separated by commas' }),
    license: string({ maxLength: 100, description: 'key of a license' }),
    readme: string({ maxLength: 255, description: 'name of a README template' }),
    default_branch: string({ maxLength: 100, rule: 'GitRefName' }),
    trust_model: string({
      enum: ['default', 'collaborator', 'committer', 'collaboratorcommitter'],
      description: 'the signatures that are trusted',
    }),
    object_format_name: string({ enum: ['sha1', 'sha256'], maxLength: 6, description: 'how objects are named' }),
  },
  { required: ['name'], description: 'A new repository.' },
);

export const EditRepoOption = defineOption(
  'EditRepoOption',
  {
    name: string({ maxLength: 100, rule: 'AlphaDashDot', description: 'the old name leads to the new one' }),
    description: string({ maxLength: 2048 }),
    website: string({ maxLength: 1024 }),
    private: boolean({ description: 'a fork follows what it was forked from' }),
    template: boolean(),
    has_code: boolean(),
    has_issues: boolean(),
    internal_tracker: ref(InternalTracker),
    external_tracker: ref(ExternalTracker),
    has_wiki: boolean(),
    external_wiki: ref(ExternalWiki),
    default_branch: string({ description: 'a branch that exists' }),
    has_pull_requests: boolean(),
    has_projects: boolean(),
    projects_mode: string({ allowed: ['repo', 'owner', 'all'], rule: 'In', description: 'repo, owner or all' }),
    ...unitsAndMerges,
    allow_manual_merge: boolean(),
    autodetect_manual_merge: boolean(),
    allow_rebase_update: boolean(),
    ...mergeDefaults,
    archived: boolean(),
    mirror_interval: string({ description: 'such as 8h30m0s' }),
    enable_prune: boolean({ description: 'a mirror deletes refs that were deleted at its source' }),
  },
  { description: 'The changes of a repository; missing fields stay.' },
);
