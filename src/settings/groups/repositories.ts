import {
  boolean,
  choice,
  duration,
  email,
  hostPattern,
  integer,
  limit,
  list,
  longText,
  optional,
  path,
  size,
  sizeLimit,
  text,
} from '../kinds.ts';
import { branchName, volume, volumeName } from '../repository-kinds.ts';
import { group, setting } from '../setting.ts';

/** The parts of a repository that can be on or off. */
export const REPOSITORY_UNITS = [
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
] as const;

const unit = () => choice(...REPOSITORY_UNITS);
export const repository = group('Repositories', 'Defaults and features of repositories.', {
  path: setting(
    path(),
    { from: '`repositories` in the data folder', value: (get) => `${String(get('server.dataDir'))}/repositories` },
    'Folder of the Git repositories: the volume `default`.',
  ),
  volumes: setting(
    list(volume(), { maxItems: 100 }),
    '',
    'Further folders of Git repositories, as `name=/absolute/path`, such as mounted file systems. Every process has the same ones.',
  ),
  closedVolumes: setting(
    list(volumeName(), { maxItems: 100 }),
    '',
    'Names of volumes that get no new repositories, except for forks of those that they have.',
  ),
  defaultBranch: setting(branchName(), 'main', 'First branch of a new repository.'),
  adoptionByOwners: setting(
    boolean(),
    'false',
    'Users may adopt unadopted repositories under their name; otherwise only administrators may.',
  ),
  unadoptedDeletionByOwners: setting(boolean(), 'false', 'Users may delete unadopted repositories under their name.'),
  forcePrivate: setting(boolean(), 'false', 'Every new repository is private.'),
  defaultVisibility: setting(
    choice('last', 'private', 'public'),
    'last',
    'Visibility offered in the browser for a new repository; `last` is the one chosen before.',
  ),
  maxPerOwner: setting(limit(), '-1', 'Repositories of an owner without a limit of their own; -1 for no limit.'),
  preferredLicenses: setting(list(text()), '', 'Licenses offered first; the others follow by name.'),
  httpGitEnabled: setting(boolean(), 'true', 'Serve Git over HTTP.'),
  pushToCreateUser: setting(boolean(), 'false', 'A push to a repository that does not exist creates it, for users.'),
  pushToCreateOrganization: setting(boolean(), 'false', 'A push to a repository that does not exist creates it, for organizations.'),
  pushToCreatePrivate: setting(boolean(), 'true', 'Repositories created by a push are private.'),
  defaultUnits: setting(list(unit()), 'code, releases, issues, pulls, wiki, projects, packages, actions', 'Units of a new repository.'),
  defaultForkUnits: setting(list(unit()), 'code, pulls', 'Units of a new fork.'),
  defaultMirrorUnits: setting(list(unit()), 'code, releases, issues, wiki, projects, packages', 'Units of a new mirror.'),
  defaultTemplateUnits: setting(
    list(unit()),
    'code, releases, issues, pulls, wiki, projects, packages',
    'Units of a repository generated from a template.',
  ),
  disabledUnits: setting(list(unit()), '', 'Units that no repository has.'),
  starsEnabled: setting(boolean(), 'true', 'Let users star repositories.'),
  forkBeyondLimit: setting(boolean(), 'true', 'Forks do not count towards the limit of repositories.'),
  feedsEnabled: setting(boolean(), 'true', 'Serve RSS and Atom feeds of users, organizations and repositories.'),
  archivesEnabled: setting(boolean(), 'true', 'Serve downloads of the source.'),
  archivesMaxSize: setting(
    size({ max: 2 ** 50 }),
    '2GiB',
    'Space for cached archives of the source. The least recently used ones are deleted first; one that is larger than a quarter of it is built for each request.',
  ),
  archivePrefix: setting(boolean(), 'true', 'Put the files of a download in a folder of the repository’s name.'),
  trustModel: setting(
    choice('collaborator', 'committer', 'collaboratorcommitter'),
    'collaborator',
    'Default of the trusted signatures of a repository.',
  ),
});

export const git = group('Git', 'The git program and its limits.', {
  hooksEnabled: setting(boolean(), 'false', 'Let permitted users edit Git hooks: programs that run on the server.'),
  processes: setting(integer(1, 1000), '8', 'Long-lived processes that read objects.'),
  concurrent: setting(integer(1, 1000), '32', 'Other concurrent git processes; further ones wait.'),
  timeout: setting(duration({ min: '1s', max: '1d' }), '60s', 'How long one git process may run, unless another setting applies.'),
  transferTimeout: setting(duration({ min: '1s', max: '7d' }), '1h', 'How long one clone, fetch or push may take.'),
  maintenanceTimeout: setting(duration({ min: '1s', max: '7d' }), '10m', 'How long packing one repository may take.'),
  unreachableExpiry: setting(
    duration({ min: '1d', max: '3650d' }),
    '14d',
    'How long unreachable objects stay, from when `jobs.maintenance` finds them unreachable.',
  ),
  maxOutput: setting(size({ min: 2 ** 20, max: 2 ** 30 }), '256MiB', 'Output of one git process that is held in memory.'),
  objectCache: setting(size({ max: 2 ** 34 }), '64MiB', 'Memory for cached objects.'),
  pushMessage: setting(boolean(), 'true', 'After a push of a branch, show the URL at which a pull request can be opened.'),
});

export const signing = group('Commit signing', 'Which of its own commits the server signs.', {
  key: setting(
    optional(longText('an armored OpenPGP private key or an SSH private key')),
    '',
    'Private key; without one nothing is signed.',
    {
      secret: true,
    },
  ),
  passphrase: setting(optional(text()), '', 'Passphrase of the key.', { secret: true }),
  format: setting(choice('openpgp', 'ssh'), 'openpgp', 'Kind of the key.'),
  name: setting(text(), { from: '`instance.name`', value: (get) => String(get('instance.name')) }, 'Committer’s name in signed commits.'),
  email: setting(
    email(),
    { from: '`noreply` at `server.domain`', value: (get) => `noreply@${String(get('server.domain'))}` },
    'Committer’s e-mail address in signed commits.',
  ),
  initialCommit: setting(list(choice('never', 'always', 'pubkey', 'twofa')), 'always', 'When the first commit of a repository is signed.'),
  contents: setting(
    list(choice('never', 'always', 'pubkey', 'twofa', 'parentsigned')),
    'pubkey, twofa, parentsigned',
    'When edits through the API and the web interface are signed; every listed rule must be met.',
  ),
  merges: setting(
    list(choice('never', 'always', 'pubkey', 'twofa', 'approved', 'basesigned', 'commitssigned', 'headsigned')),
    'pubkey, twofa, basesigned, commitssigned',
    'When merges are signed; every listed rule must be met.',
  ),
  wiki: setting(
    list(choice('never', 'always', 'pubkey', 'twofa', 'parentsigned')),
    'never',
    'When edits of the wiki are signed; every listed rule must be met.',
  ),
  trustedSshKeys: setting(list(text()), '', 'Further SSH public keys whose signatures count as the server’s.'),
});

export const mirrors = group('Mirrors', 'Repositories that mirror another one.', {
  enabled: setting(boolean(), 'true', 'Allow mirrors and keep them up to date.'),
  newPullMirrors: setting(boolean(), 'true', 'Allow new mirrors of repositories on other servers.'),
  newPushMirrors: setting(boolean(), 'true', 'Allow new mirrors on other servers.'),
  defaultInterval: setting(duration({ min: '1m' }), '8h', 'Default time between two updates of a mirror.'),
  minInterval: setting(duration({ min: '1m' }), '10m', 'Shortest time between two updates of one mirror.'),
  perHost: setting(integer(1, 100), '2', 'Concurrent updates for one other server.'),
});

export const migrations = group('Migrations', 'Copying repositories from other services.', {
  enabled: setting(boolean(), 'true', 'Let users migrate repositories.'),
  allowedHosts: setting(
    list(hostPattern()),
    '',
    'Hosts that repositories are migrated and mirrored from and pushed to, written as in `outgoing.allowedHosts`; empty for those.',
  ),
  blockedHosts: setting(list(hostPattern()), '', 'Hosts that are refused, besides those of `outgoing.blockedHosts`.'),
  allowLocalNetworks: setting(boolean(), 'false', 'Connections to loopback and private networks are allowed as well.'),
  verifyCertificates: setting(boolean(), 'true', 'The certificate of a host has to be valid.'),
  timeout: setting(duration({ min: '1s', max: '7d' }), '1h', 'How long one transfer between repositories of two servers may take.'),
  maxSize: setting(sizeLimit(), '32GiB', 'Bytes that one transfer from another server may have; -1 for no limit.'),
  maxAssetSize: setting(sizeLimit(), '4GiB', 'Largest file of a release or an issue that is migrated; -1 for no limit.'),
  maxIssues: setting(integer(1, 10_000_000), '200000', 'Maximum number of issues and pull requests of one migration.'),
  maxAttempts: setting(integer(1, 20), '3', 'How often a request to the API of another server is sent if it fails temporarily.'),
  retryBackoff: setting(duration({ max: '10m' }), '3s', 'Time before the second of these attempts; each later one waits longer.'),
  maxRateLimitWait: setting(duration({ max: '1d' }), '1h10m', 'How long a migration waits for a server that limits its requests, at most.'),
});

export const lfs = group('Git LFS', 'Large files beside Git.', {
  enabled: setting(boolean(), 'true', 'Serve Git LFS.'),
  maxFileSize: setting(sizeLimit(), '-1', 'Largest file; -1 for no limit.'),
  maxBatchSize: setting(integer(1, 10_000), '1000', 'Objects in one request of a client.'),
  locksPageSize: setting(integer(1, 1000), '50', 'Locks in one response.'),
  tokenLifetime: setting(
    duration({ min: '1m', max: '1d' }),
    '1h',
    'How long tokens of clients for transfers are valid, for example after a sign-in with a password or by SSH.',
  ),
  pureSsh: setting(boolean(), 'true', 'Transfer files over SSH itself too (`git-lfs-transfer`).'),
  unlinkedExpiry: setting(
    duration({ max: '365d' }),
    '1d',
    'How long the bytes of a file stay after the last repository that had it is deleted.',
  ),
});

export const issues = group('Issues', 'Issues, and what issues and pull requests share.', {
  maxPinned: setting(integer(0, 1000), '3', 'Pinned issues, and pinned pull requests, of one repository.'),
  timeTrackingEnabled: setting(boolean(), 'true', 'Offer time tracking.'),
  defaultTimeTracking: setting(boolean(), 'true', 'New repositories track time.'),
  defaultContributorsOnlyTrackTime: setting(boolean(), 'true', 'In new repositories only contributors track time.'),
  defaultDependencies: setting(boolean(), 'true', 'New repositories have dependencies between issues.'),
  crossRepositoryDependencies: setting(boolean(), 'true', 'Issues may depend on those of other repositories.'),
  closeOnAnyBranch: setting(
    boolean(),
    'false',
    'In new repositories commit messages close issues from every branch, not only the default one.',
  ),
  closeKeywords: setting(
    list(text()),
    'close, closes, closed, fix, fixes, fixed, resolve, resolves, resolved',
    'Words before a reference that close an issue.',
  ),
  reopenKeywords: setting(list(text()), 'reopen, reopens, reopened', 'Words before a reference that reopen an issue.'),
});

export const pulls = group('Pull requests', 'Defaults of new repositories, and merge messages.', {
  defaultMergeStyle: setting(
    choice('merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'),
    'merge',
    'Default merge style of new repositories.',
  ),
  defaultDeleteBranchAfterMerge: setting(boolean(), 'false', 'In new repositories a merged branch is deleted.'),
  workInProgressPrefixes: setting(list(text(), { minItems: 1 }), 'WIP:, [WIP]', 'Prefixes of a title that mark a draft.'),
  mergeMessageSize: setting(sizeLimit(), '5KiB', 'Size of the commits’ messages in the message of a squash; -1 for no limit.'),
  mergeMessageApprovers: setting(limit(), '10', 'Approvers named in a merge message; -1 for all.'),
  mergeMessageOfficialApprovers: setting(boolean(), 'true', 'Name only approvers whose approval counts.'),
  coCommitterTrailers: setting(boolean(), 'true', 'Add trailers that name the author and the merger if they differ.'),
  retargetChildren: setting(
    boolean(),
    'true',
    'Pull requests to a branch that is deleted after its merge are retargeted to its base branch.',
  ),
});
