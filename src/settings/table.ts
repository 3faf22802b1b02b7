import * as accounts from './groups/accounts.ts';
import { actions } from './groups/actions.ts';
import * as features from './groups/features.ts';
import * as files from './groups/files.ts';
import { packages } from './groups/packages.ts';
import * as repositories from './groups/repositories.ts';
import * as server from './groups/server.ts';
import { ssh } from './groups/ssh.ts';
import * as storage from './groups/storage.ts';
import { tracing } from './groups/tracing.ts';
import type { GroupValues, Setting, SettingGroup } from './setting.ts';

/** Every instance setting, in the order of the documentation. */
export const SETTINGS_TABLE = {
  server: server.server,
  instance: server.instance,
  tracing,
  admin: accounts.admin,
  database: server.database,
  storage: storage.storage,
  s3: storage.s3,
  security: features.security,
  log: server.log,
  audit: server.audit,
  limits: server.limits,
  ssh,
  access: accounts.access,
  reverseProxy: accounts.reverseProxy,
  registration: accounts.registration,
  passwords: accounts.passwords,
  throttle: accounts.throttle,
  users: accounts.users,
  organizations: accounts.organizations,
  oauth2: accounts.oauth2,
  mail: accounts.mail,
  api: features.api,
  ui: features.ui,
  cors: server.cors,
  outgoing: server.outgoing,
  repository: repositories.repository,
  git: repositories.git,
  signing: repositories.signing,
  mirrors: repositories.mirrors,
  migrations: repositories.migrations,
  lfs: repositories.lfs,
  issues: repositories.issues,
  pulls: repositories.pulls,
  fileUploads: files.fileUploads,
  releases: files.releases,
  packages,
  attachments: files.attachments,
  avatars: files.avatars,
  markup: features.markup,
  codeSearch: features.codeSearch,
  webhooks: features.webhooks,
  actions,
  federation: features.federation,
  jobs: features.jobs,
} as const;

/**
 * Every instance setting with its value. Durations are milliseconds, sizes are bytes, paths are absolute,
 * `server.rootUrl` ends with a slash.
 */
export type Settings = { readonly [Group in keyof typeof SETTINGS_TABLE]: GroupValues<(typeof SETTINGS_TABLE)[Group]> };

/** A row of the table with the names it goes by. */
export interface SettingRow {
  /** For example `server.port`, which is also its path in the settings file. */
  readonly name: string;
  readonly groupName: string;
  readonly key: string;
  /** Such as `COPSE_PORT`. */
  readonly variable: string;
  readonly setting: Setting;
}

/** The rows of one group. */
export function settingsOfGroup(groupName: string, group: SettingGroup): SettingRow[] {
  return Object.entries(group.settings).map(([key, setting]) => ({
    name: `${groupName}.${key}`,
    groupName,
    key,
    variable: setting.variable ?? ['COPSE', group.prefix ?? capitals(groupName), capitals(key)].filter((part) => part !== '').join('_'),
    setting,
  }));
}

/** All rows, in the order of the table. */
export const ALL_SETTINGS: readonly SettingRow[] = Object.entries(SETTINGS_TABLE).flatMap(([name, group]) => settingsOfGroup(name, group));

function capitals(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}
