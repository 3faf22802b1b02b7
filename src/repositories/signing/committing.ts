import type { Repository } from '../../access/find-repository.ts';
import { hasSecondFactor } from '../../access/second-factor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Signature } from '../../git/objects/format-identity.ts';
import type { Sign } from '../../git/objects/write-objects.ts';
import type { ServerKey } from '../../instance/signing/key.ts';

/** The committer, and the signing key; options for functions of `git/` that create commits. */
export interface Committing {
  readonly committer: Signature;
  readonly sign?: Sign;
}

/** A commit signed with the server's key: if signatures count as the committer's, the server is the committer. */
export function committingWith(key: ServerKey, { settings }: Context, repository: Repository, person: Signature): Committing {
  const model = repository.trust_model === 'default' ? settings.repository.trustModel : repository.trust_model;
  const { name, email } = settings.signing;
  return { committer: model === 'collaborator' ? person : { ...person, name, email }, sign: key.sign };
}

/** The signing rules that depend only on the committer; `always` ends a list of rules, `never` fails it anywhere. */
export type PersonRule = (typeof PERSON_RULES)[number];

const PERSON_RULES = ['never', 'always', 'pubkey', 'twofa'] as const;

/** Whether a rule depends only on the committer. */
export function isPersonRule(rule: string): rule is PersonRule {
  return PERSON_RULES.some((one) => one === rule);
}

/** The first of the rules that is not met; an empty list is `never`. */
export async function firstBroken<Rule extends string>(
  rules: readonly Rule[],
  holds: (rule: Rule) => Promise<boolean>,
): Promise<Rule | 'never' | undefined> {
  if (rules.length === 0 || rules.some((rule) => rule === 'never')) return 'never';
  for (const rule of rules) {
    if (rule === 'always') return undefined;
    if (!(await holds(rule))) return rule;
  }
  return undefined;
}

/** Whether a user has a key (`pubkey`) or a second factor (`twofa`). */
export async function personRuleHolds(context: Context, user: User, rule: PersonRule): Promise<boolean> {
  if (rule === 'pubkey') return (await hasRow(context, 'gpg_keys', user.id)) || (await hasRow(context, 'ssh_keys', user.id));
  if (rule === 'twofa') return hasSecondFactor(context.db, user.id);
  return rule === 'always';
}

async function hasRow({ db }: Context, table: 'gpg_keys' | 'ssh_keys', userId: number): Promise<boolean> {
  const row = await db.selectFrom(table).select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}
