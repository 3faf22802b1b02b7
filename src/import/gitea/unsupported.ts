import type { Finding } from './batch.ts';
import type { Source } from './source/source.ts';

/** Tables that are not imported, with what they hold; and where it matters, what to do. */
const TABLES: Readonly<Record<string, string>> = {
  webauthn_credential: 'security keys: their users sign in without them, and have one-time codes if they had them before',
  login_source: 'authentication sources',
  external_login_user: 'links to accounts of other programs',
  user_open_id: 'OpenID addresses',
  team_invite: 'invitations to teams',
  webhook: 'webhooks',
  action: 'activity',
  notification: 'notifications',
  mirror: 'pull mirrors: the repositories are there, but do not follow the others',
  push_mirror: 'push mirrors',
  lfs_meta_object: 'large files',
  lfs_lock: 'locks of large files',
  commit_status: 'statuses of commits',
  project: 'projects',
  package: 'packages',
  action_run: 'runs of automation',
  action_runner: 'runners of automation',
  action_variable: 'variables of automation',
  secret: 'secrets of automation',
  notice: 'notices of the system',
};

/** What of the source is not imported at all: a finding for each table that has rows. */
export async function unsupportedFindings(source: Source): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [table, meaning] of Object.entries(TABLES)) {
    const rows = await source.count(table);
    if (rows > 0) findings.push({ subject: table, reason: `${meaning} (${rows}) are not imported` });
  }
  return findings;
}
