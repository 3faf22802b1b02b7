import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { branchTip } from '../heads/tips.ts';

/** The target of a ref below `refs/for/`. */
export interface ForTarget {
  readonly branch: string;
  /** The commit of the branch. */
  readonly tip: string;
  /** The part after the branch; empty if there is none. */
  readonly topic: string;
}

/** Parses `BRANCH` or `BRANCH/TOPIC`, where either may have slashes; the shortest existing branch counts. */
export async function findForTarget(context: Context, repository: Repository, name: string): Promise<ForTarget | undefined> {
  const whole = await branchTip(context, repository, name);
  if (whole !== undefined) return { branch: name, tip: whole, topic: '' };
  const parts = name.split('/');
  for (let length = 1; length < parts.length; length++) {
    const branch = parts.slice(0, length).join('/');
    const tip = await branchTip(context, repository, branch);
    if (tip !== undefined) return { branch, tip, topic: parts.slice(length).join('/') };
  }
  return undefined;
}
