import type { Finding } from './batch.ts';
import type { Source } from './source/source.ts';

/** Tables that are not imported, with their contents and, where it matters, advice. */
const TABLES: Readonly<Record<string, string>> = {
  login_source: 'authentication sources',
  external_login_user: 'links to accounts of other programs',
  user_open_id: 'OpenID addresses',
  quota_rule: 'limits of Forgejo on what accounts store',
  forgejo_repo_flag: 'flags of Forgejo on repositories',
  following_repo: 'repositories of other servers that are followed',
  federation_host: 'other servers that Forgejo knows',
};

/** The contents of the source that are not imported: a finding for each table that has rows. */
export async function unsupportedFindings(source: Source): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [table, meaning] of Object.entries(TABLES)) {
    const rows = await source.count(table);
    if (rows > 0) findings.push({ subject: table, reason: `${meaning} (${rows}) are not imported` });
  }
  return findings;
}
