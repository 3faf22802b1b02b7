import { boolean, define, defineOption, int64, nullable, oneOf, string, timestamp } from '../http/schema.ts';

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
      description: 'software of the source server; unless it is git, issues and the like can be copied too',
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

/** A migration of a repository. */
export const RepositoryMigration = define(
  'RepositoryMigration',
  {
    id: int64({ description: 'id of the migration' }),
    clone_addr: string({ description: 'URL that is fetched from, without credentials' }),
    service: string({ description: 'software of the source server' }),
    owner: string({ description: 'name of the owner of the repository' }),
    repo_name: string({ description: 'name of the repository' }),
    repo_id: nullable(int64({ description: 'id of the repository; null after a failure' })),
    status: oneOf(['waiting', 'running', 'finished', 'failed', 'cancelled'], { description: 'how far it is' }),
    step: string({ description: 'the current step: git, topics, milestones, labels, releases, issues, pulls' }),
    done: int64({ description: 'how many rows of the step have been copied for good' }),
    message: string({ description: 'the progress, or why it failed' }),
    created_at: timestamp({ description: 'when it was requested' }),
    started_at: nullable(timestamp({ description: 'when it last began, or began again' })),
    ended_at: nullable(timestamp({ description: 'when it ended' })),
  },
  { description: 'The copying of a project from another server.' },
);
