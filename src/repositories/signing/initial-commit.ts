import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Signature } from '../../git/objects/format-identity.ts';
import { serverKey } from '../../instance/signing/server-key.ts';
import { type Committing, committingWith, firstBroken, personRuleHolds } from './committing.ts';

/**
 * The committer of the first commit of a repository, and its signing key: the server's key if every rule of
 * `signing.initialCommit` is met.
 */
export async function initialCommitter(context: Context, repository: Repository, author: Signature): Promise<Committing> {
  const key = await serverKey(context.settings);
  const user = context.actor ?? repository.owner;
  const broken = key && (await firstBroken(context.settings.signing.initialCommit, (rule) => personRuleHolds(context, user, rule)));
  return key && !broken ? committingWith(key, context, repository, author) : { committer: author };
}
