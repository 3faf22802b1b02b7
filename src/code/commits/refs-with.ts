import { createHash } from 'node:crypto';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { GitError, runGit } from '../../git/processes/process.ts';
import { listRefs, type Ref } from '../../git/refs/refs.ts';
import { isObjectId } from '../../git/repository.ts';

/** Branches and tags that contain a commit. */
export interface CommitRefs {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** Whether there are more. */
  readonly more: boolean;
}

const NONE: CommitRefs = { branches: [], tags: [], more: false };
const MAX_REFS = 20;
/** Time limit: in a large repository with many refs the result is left out. */
const TIMEOUT_MS = 2_000;

/** Some branches and tags that contain the commit with this full id; none if finding them takes too long. */
export async function refsWithCommit({ git }: Context, repository: Repository, oid: string): Promise<CommitRefs> {
  const folder = git.locate(repository);
  if (!isObjectId(oid, folder.objectFormat)) throw new TypeError(`${JSON.stringify(oid)} is not an object id`);
  const read = async (kind: 'heads' | 'tags') => {
    const args = ['for-each-ref', `--count=${MAX_REFS + 1}`, `--contains=${oid}`, '--format=%(refname:lstrip=2)', `refs/${kind}/`];
    const { stdout } = await runGit(args, { cwd: folder.path, timeoutMs: TIMEOUT_MS });
    return stdout.toString('utf8').split('\n').filter(Boolean);
  };
  const find = async (): Promise<CommitRefs> => {
    const [branches, tags] = await Promise.all([read('heads'), read('tags')]);
    const more = branches.length > MAX_REFS || tags.length > MAX_REFS;
    return { branches: branches.slice(0, MAX_REFS), tags: tags.slice(0, MAX_REFS), more };
  };
  try {
    // Valid until a ref moves.
    const state = stateOf(await listRefs(folder, git.pool));
    const bytesOf = ({ branches, tags }: CommitRefs) => 100 * (branches.length + tags.length + 1);
    return await git.pool.cache.remember(folder, `refs-with ${oid} ${state}`, bytesOf, find);
  } catch (error) {
    if (error instanceof GitError) return NONE;
    throw error;
  }
}

const states = new WeakMap<readonly Ref[], string>();

/** A hash of refs, computed once for a list: that of a hundred thousand takes 50 ms. */
function stateOf(refs: readonly Ref[]): string {
  const known = states.get(refs);
  if (known !== undefined) return known;
  const hash = createHash('sha1').update(refs.map(({ name, oid }) => `${name} ${oid}`).join('\n'));
  const state = hash.digest('base64url');
  states.set(refs, state);
  return state;
}
