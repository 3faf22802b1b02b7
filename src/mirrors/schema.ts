import { boolean, define, defineOption, int64, string, timestamp } from '../http/schema.ts';

/** A repository of another server that follows one of ours. */
export const PushMirror = define('PushMirror', {
  repo_name: string({ description: 'name of the repository that it follows' }),
  remote_name: string({ description: 'by which it is found' }),
  remote_address: string({ description: 'URL that is pushed to, without credentials' }),
  created: timestamp({ goName: 'CreatedUnix' }),
  last_update: timestamp({ goName: 'LastUpdateUnix', description: 'when it was last pushed to, successfully or not' }),
  last_error: string({ description: 'why the last push failed; empty otherwise' }),
  interval: string({ description: 'time between two pushes, such as 8h0m0s' }),
  sync_on_commit: boolean({ description: 'gets every push at once' }),
});

export const CreatePushMirrorOption = defineOption('CreatePushMirrorOption', {
  remote_address: string({ description: 'URL to push to' }),
  remote_username: string(),
  remote_password: string(),
  interval: string({ description: 'time between two pushes, such as 8h30m0s; 0 for none by itself' }),
  sync_on_commit: boolean({ description: 'gets every push at once' }),
});

export const MigrateRepoOptions = defineOption(
  'MigrateRepoOptions',
  {
    clone_addr: string({ description: 'URL to fetch from' }),
    repo_name: string({ maxLength: 100, rule: 'AlphaDashDot' }),
    uid: int64({ goName: 'RepoOwnerID', description: 'id of the owner; repo_owner is preferred' }),
    repo_owner: string({ description: 'name of the owner; the caller when left out' }),
    service: string({
      enum: ['git', 'github', 'gitea', 'gitlab', 'gogs', 'onedev', 'gitbucket', 'codebase', 'codecommit'],
      description: 'what serves the source',
    }),
    auth_username: string(),
    auth_password: string(),
    auth_token: string(),
    mirror: boolean({ description: 'follows its source from then on' }),
    mirror_interval: string({ description: 'time between two updates of a mirror, such as 8h0m0s' }),
    private: boolean(),
    description: string({ maxLength: 2048 }),
    wiki: boolean({ description: 'with the wiki' }),
    lfs: boolean({ goName: 'LFS', description: 'with the LFS objects' }),
    lfs_endpoint: string({ goName: 'LFSEndpoint', description: 'URL of the LFS objects' }),
    milestones: boolean(),
    labels: boolean(),
    issues: boolean(),
    pull_requests: boolean(),
    releases: boolean(),
    aws_access_key_id: string({ goName: 'AWSAccessKeyID' }),
    aws_secret_access_key: string({ goName: 'AWSSecretAccessKey' }),
  },
  { required: ['clone_addr', 'repo_name'], description: 'A repository to bring over.' },
);
