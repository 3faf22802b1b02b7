import { avatarKey } from '../accounts/avatars/avatars.ts';
import { ARTIFACTS_PREFIX } from '../actions/artifacts/upload.ts';
import { attachmentKey } from '../issues/attachments/store.ts';
import { avatarKey as repositoryAvatarKey } from '../repositories/avatar/avatar.ts';
import type { BlobOwners } from '../repositories/doctor/blobs.ts';

/** The last part of a key. */
const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);

/** Whose blobs the doctor compares with the storage, beside large files and packages, which have more to compare. */
export const BLOB_OWNERS: readonly BlobOwners[] = [
  {
    what: 'attachment',
    prefix: 'attachments/',
    rows: async ({ db }, after, limit) => {
      const rows = await db.selectFrom('attachments').select(['id', 'uuid']).where('id', '>', after).orderBy('id').limit(limit).execute();
      return rows.map(({ id, uuid }) => ({ id, key: attachmentKey(uuid) }));
    },
    owned: async ({ db }, keys) => {
      const rows = await db.selectFrom('attachments').select('uuid').where('uuid', 'in', keys.map(nameOf)).execute();
      return rows.map(({ uuid }) => attachmentKey(uuid));
    },
  },
  {
    what: 'picture of an account',
    prefix: 'avatars/',
    rows: async ({ db }, after, limit) => {
      const users = db.selectFrom('users').select(['id', 'avatar']).where('avatar', '<>', '');
      const rows = await users.where('id', '>', after).orderBy('id').limit(limit).execute();
      return rows.map(({ id, avatar }) => ({ id, key: avatarKey(avatar) }));
    },
    owned: async ({ db }, keys) => {
      const rows = await db.selectFrom('users').select('avatar').where('avatar', 'in', keys.map(nameOf)).execute();
      return rows.map(({ avatar }) => avatarKey(avatar));
    },
  },
  {
    what: 'picture of a repository',
    prefix: 'repo-avatars/',
    rows: async ({ db }, after, limit) => {
      const repositories = db.selectFrom('repositories').select(['id', 'avatar']).where('avatar', '<>', '');
      const rows = await repositories.where('id', '>', after).orderBy('id').limit(limit).execute();
      return rows.map(({ id, avatar }) => ({ id, key: repositoryAvatarKey(avatar) }));
    },
    owned: async ({ db }, keys) => {
      const rows = await db.selectFrom('repositories').select('avatar').where('avatar', 'in', keys.map(nameOf)).execute();
      return rows.map(({ avatar }) => repositoryAvatarKey(avatar));
    },
  },
  {
    what: 'archive',
    prefix: 'archives/',
    // A lost one is recreated on request.
    rows: async () => [],
    owned: async ({ db }, keys) => {
      const rows = await db.selectFrom('archives').select('blob').where('blob', 'in', keys).execute();
      return rows.map(({ blob }) => blob);
    },
  },
  {
    what: 'search index',
    prefix: 'code-indexes/',
    // Lost ones are found with the state of the index.
    rows: async () => [],
    owned: async ({ db }, keys) => {
      const rows = await db.selectFrom('code_indexes').select('key').where('key', 'in', keys).execute();
      return rows.map(({ key }) => key);
    },
  },
  {
    what: 'log of a task',
    prefix: 'action-logs/',
    rows: async ({ db }, after, limit) => {
      const tasks = db.selectFrom('action_tasks').select(['id', 'log_key']).where('log_in_storage', '=', true);
      const rows = await tasks.where('id', '>', after).orderBy('id').limit(limit).execute();
      return rows.map(({ id, log_key: key }) => ({ id, key }));
    },
    owned: async ({ db }, keys) => {
      const ids = keys.map((key) => Number.parseInt(nameOf(key), 10) || 0);
      const rows = await db.selectFrom('action_tasks').select('log_key').where('id', 'in', ids).execute();
      return rows.map(({ log_key: key }) => key);
    },
  },
  {
    what: 'artifact',
    prefix: ARTIFACTS_PREFIX,
    rows: async ({ db }, after, limit) => {
      const artifacts = db.selectFrom('action_artifacts').select(['id', 'storage_key']).where('storage_key', '<>', '');
      const rows = await artifacts.where('status', '=', 'confirmed').where('id', '>', after).orderBy('id').limit(limit).execute();
      return rows.map(({ id, storage_key: key }) => ({ id, key }));
    },
    owned: async ({ db }, keys) => {
      const rows = await db.selectFrom('action_artifacts').select('storage_key').where('storage_key', 'in', keys).execute();
      return rows.map(({ storage_key: key }) => key);
    },
  },
];
