import type { Repository } from '../access/find-repository.ts';
import { findHeadRepository } from '../code/compare/head-repository.ts';
import type { Context } from '../context.ts';
import { parseComparison } from '../git/history/compare.ts';
import { type ResolvedRef, resolveCommit, resolveRef } from '../git/refs/revisions.ts';
import { badRequest, notFound, unprocessable } from '../http/errors.ts';
import type { BranchAt } from './create.ts';

/** Minimum number of digits of an abbreviated commit id. */
const MIN_PREFIX = 4;

/**
 * The two branches of a new pull request.
 * @param head branch, owner:branch or owner/repository:branch
 * @throws HttpError 400 for owners without a fork, 404 for what is missing or hidden, 422 for what is not a branch
 */
export async function findBranches(
  context: Context,
  repository: Repository,
  { base, head }: { base: string; head: string },
): Promise<{ base: BranchAt; head: BranchAt }> {
  if (base === head) throw unprocessable('Invalid PullRequest: There are no changes between the head and the base');
  const request = parseComparison(`${base}..${head}`);
  if (request.baseSuffix !== '') throw badRequest('Unsupported comparison syntax: ref with suffix');
  const headRepository = await findHeadRepository(context, repository, request);
  if (headRepository.object_format !== repository.object_format) {
    throw unprocessable('Invalid PullRequest: the repositories name their objects in different ways');
  }
  const [into, from] = [
    await resolve(context, repository, request.base),
    await resolve(context, headRepository, request.head || headRepository.default_branch),
  ];
  if (into.kind !== 'branch' || from.kind !== 'branch') throw unprocessable('Invalid PullRequest: base and head must be branches');
  return {
    base: { repository, branch: into.name, id: into.commit },
    head: { repository: headRepository, branch: from.name, id: from.commit },
  };
}

type NamedCommit = Pick<ResolvedRef, 'kind' | 'name' | 'commit'>;

/** Resolves a short name, the full name of a branch or tag (`refs/heads/main`), or `HEAD`. */
async function resolve({ git }: Context, repository: Repository, name: string): Promise<NamedCommit> {
  const located = git.locate(repository);
  const found = await resolveRef(located, git.pool, name, { minPrefix: MIN_PREFIX });
  if (found) return found;
  const [, folder, short] = /^refs\/(heads|tags)\/([^~^]+)$/.exec(name) ?? [];
  const commit = short !== undefined || name === 'HEAD' ? await resolveCommit(located, git.pool, name) : undefined;
  if (commit === undefined) throw notFound();
  return { kind: folder === 'heads' ? 'branch' : folder === 'tags' ? 'tag' : 'commit', name: short ?? name, commit };
}
