import type { PackedRef } from '../git/refs/packed-refs.ts';
import { isValidBranchName } from '../git/refs/ref-names.ts';

const BRANCHES = 'refs/heads/';

/**
 * The default branch of a repository with these refs: the one that HEAD points to, else `main` or `master`, else the first.
 * @param head the ref that HEAD points to on the other server, if known
 */
export function chooseDefaultBranch(refs: ReadonlyMap<string, PackedRef>, head: string | undefined): string | undefined {
  if (head?.startsWith(BRANCHES) && refs.has(head)) return head.slice(BRANCHES.length);
  const names = [...refs.keys()].filter((name) => name.startsWith(BRANCHES)).map((name) => name.slice(BRANCHES.length));
  return ['main', 'master'].find((name) => names.includes(name)) ?? names.find(isValidBranchName);
}
