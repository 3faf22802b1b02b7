import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Signature } from '../../git/format-identity.ts';
import type { Sign } from '../../git/write-objects.ts';
import { serverKey } from '../../instance/signing/server-key.ts';
import type { Repository } from '../find.ts';

/**
 * Who commits the first commit of a repository, and how it is signed: with the server's key where every rule of
 * `signing.initialCommit` holds. Where signatures count as the committer's, the server is the committer.
 */
export async function initialCommitter(
  context: Context,
  repository: Repository,
  author: Signature,
): Promise<{ committer: Signature; sign?: Sign }> {
  const { settings } = context;
  const key = await serverKey(settings);
  if (!key || !(await rulesHold(context, context.doer ?? repository.owner))) return { committer: author };
  const model = repository.trust_model === 'default' ? settings.repository.trustModel : repository.trust_model;
  const { name, email } = settings.signing;
  const committer = model === 'collaborator' ? author : { ...author, name, email };
  return { committer, sign: key.sign };
}

async function rulesHold(context: Context, user: User): Promise<boolean> {
  for (const rule of context.settings.signing.initialCommit) {
    if (rule === 'never') return false;
    if (rule === 'pubkey' && !(await hasRow(context, 'gpg_keys', user.id)) && !(await hasRow(context, 'ssh_keys', user.id))) return false;
    if (rule === 'twofa' && !(await hasRow(context, 'two_factors', user.id))) return false;
  }
  return context.settings.signing.initialCommit.length > 0;
}

async function hasRow({ db }: Context, table: 'gpg_keys' | 'ssh_keys' | 'two_factors', userId: number): Promise<boolean> {
  const row = await db.selectFrom(table).select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}
