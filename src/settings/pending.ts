/**
 * Settings of parts that are not built yet. They are accepted, so that a settings file need not change when the part comes,
 * but have no effect, and the documentation says so. A test keeps the list true.
 */
const PENDING: Readonly<Record<string, readonly string[]>> = {
  redis: ['url', 'prefix'],
  database: ['slowQuery'],
  storage: [
    's3Endpoint',
    's3Region',
    's3Bucket',
    's3AccessKeyId',
    's3SecretAccessKey',
    's3Prefix',
    's3ForcePathStyle',
    's3ServeDirect',
    's3SignedUrlLifetime',
  ],
  ssh: ['hostKey', 'loginTimeout', 'idleTimeout'],
  ui: [
    'explorePageSize',
    'issuesPageSize',
    'feedPageSize',
    'commitsPageSize',
    'releasesPageSize',
    'packagesPageSize',
    'maxDisplayFileSize',
  ],
  repository: [
    'forkIntoSameOwner',
    'adoptByUsers',
    'deleteUnadoptedByUsers',
    'uploadMaxSize',
    'uploadMaxFiles',
    'uploadAllowedTypes',
    'deletedBranchLifetime',
  ],
  git: ['migrationTimeout', 'mirrorTimeout', 'diffMaxFiles', 'diffMaxLines', 'diffMaxLineLength', 'renameSimilarity', 'partialClone'],
  mirrors: ['newPullMirrors', 'newPushMirrors', 'defaultInterval', 'minInterval', 'updatesPerRound'],
  migrations: ['maxAttempts', 'retryDelay'],
  lfs: ['maxFileSize', 'tokenLifetime', 'maxBatch', 'locksPageSize'],
  issues: ['lockReasons'],
  pulls: ['mergeMessageCommits', 'mergeMessageAllAuthors', 'squashCommitMessages'],
  releases: ['maxFiles'],
  packages: ['maxSizePerOwner', 'maxFileSize', 'maxMetadataSize', 'unreferencedLifetime'],
  actions: [
    'workflowFolders',
    'defaultActionsUrl',
    'skipWords',
    'logLifetime',
    'artifactLifetime',
    'artifactMaxSize',
    'artifactLinkLifetime',
    'unresponsiveTimeout',
    'taskTimeout',
    'abandonedTimeout',
    'registrationToken',
  ],
  jobs: ['maxAttempts', 'noticeLifetime'],
};

/** Whether a setting, such as `packages.maxFileSize`, has no effect yet. */
export function isPending(name: string): boolean {
  const [group = '', setting = ''] = name.split('.');
  return PENDING[group]?.includes(setting) ?? false;
}
