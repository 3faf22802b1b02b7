import { boolean, define, defineOption, int64, string, timestamp } from '../http/schema.ts';

/** A repository on another server that is pushed to. */
export const PushMirror = define('PushMirror', {
  repo_name: string({ description: 'name of the repository that is pushed' }),
  remote_name: string({ description: 'name of the mirror in URLs' }),
  remote_address: string({ description: 'URL that is pushed to, without credentials' }),
  created: timestamp({ goName: 'CreatedUnix' }),
  last_update: timestamp({ goName: 'LastUpdateUnix', description: 'when it was last pushed to, successfully or not' }),
  last_error: string({ description: 'why the last push failed; empty otherwise' }),
  interval: string({ description: 'time between two pushes, such as 8h0m0s' }),
  sync_on_commit: boolean({ description: 'whether each push to the repository is pushed on at once' }),
});

/** The body that adds a push mirror. */
export const CreatePushMirrorOption = defineOption('CreatePushMirrorOption', {
  remote_address: string({ description: 'URL to push to' }),
  remote_username: string(),
  remote_password: string(),
  interval: string({ description: 'time between two pushes, such as 8h30m0s; 0 for no scheduled pushes' }),
  sync_on_commit: boolean({ description: 'whether each push to the repository is pushed on at once' }),
});

/** The body of a migration. */
export const MigrateRepoOptions = defineOption(
  'MigrateRepoOptions',
  {
    clone_addr: string({ description: 'URL to fetch from' }),
    repo_name: string({ maxLength: 100, rule: 'AlphaDashDot' }),
    uid: int64({ goName: 'RepoOwnerID', description: 'id of the owner; repo_owner is preferred' }),
    repo_owner: string({ description: 'name of the owner; the caller if left out' }),
    service: string({
      enum: ['git', 'github', 'gitea', 'gitlab', 'gogs', 'onedev', 'gitbucket', 'codebase', 'codecommit'],
      description: 'software of the source server; only git is supported',
    }),
    auth_username: string(),
    auth_password: string(),
    auth_token: string(),
    mirror: boolean({ description: 'creates a mirror, which is updated from its source' }),
    mirror_interval: string({ description: 'time between two updates of a mirror, such as 8h0m0s' }),
    private: boolean(),
    description: string({ maxLength: 2048 }),
    wiki: boolean({ description: 'imports the wiki too' }),
    lfs: boolean({ goName: 'LFS', description: 'imports the LFS objects too' }),
    lfs_endpoint: string({ goName: 'LFSEndpoint', description: 'URL of the LFS objects' }),
    milestones: boolean(),
    labels: boolean(),
    issues: boolean(),
    pull_requests: boolean(),
    releases: boolean(),
    aws_access_key_id: string({ goName: 'AWSAccessKeyID' }),
    aws_secret_access_key: string({ goName: 'AWSSecretAccessKey' }),
  },
  { required: ['clone_addr', 'repo_name'], description: 'A repository to migrate.' },
);
