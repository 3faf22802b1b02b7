import { matchPatterns } from '../../code/protections/match.ts';
import type { Context } from '../../context.ts';
import type { Webhook } from '../../database/tables/webhooks.ts';
import { HttpError } from '../../http/errors.ts';

const BRANCHES = 'refs/heads/';

/**
 * Those of the hooks whose branches the ref is one of; all without a ref. A pattern stands for names of branches, or for whole names of
 * refs. Where those of one place take too long, its hooks with a pattern get nothing.
 */
export async function hooksForRef(context: Context, hooks: readonly Webhook[], ref: string | undefined): Promise<Webhook[]> {
  if (ref === undefined || hooks.every(({ branch_filter: filter }) => filter === '')) return [...hooks];
  const texts = ref.startsWith(BRANCHES) ? [ref.slice(BRANCHES.length), ref] : [ref];
  const filtered = hooks.filter(({ branch_filter: filter }) => filter !== '');
  const matching = new Set<Webhook>();
  // The administrator of a repository must not block the hooks of its owner.
  for (const ofPlace of Map.groupBy(filtered, ({ repository_id: id }) => id).values()) {
    for (const hook of await matchingHooks(context, ofPlace, texts)) matching.add(hook);
  }
  return hooks.filter((hook) => hook.branch_filter === '' || matching.has(hook));
}

async function matchingHooks(context: Context, hooks: readonly Webhook[], texts: readonly string[]): Promise<Webhook[]> {
  try {
    const patterns = hooks.map(({ branch_filter: filter }) => filter);
    const found = await matchPatterns(context, { kind: 'text', patterns, texts });
    return [...new Set(found.flat())].flatMap((at) => hooks[at] ?? []);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    context.log.warn({ hook: hooks[0]?.id, error }, 'the patterns of webhooks take too long to match');
    return [];
  }
}
