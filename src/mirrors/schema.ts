import { boolean, define, defineOption, string, timestamp } from '../http/schema.ts';

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
