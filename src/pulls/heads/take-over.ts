import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { copyCommits } from '../../git/objects/copy-objects.ts';
import { inQuarantine } from '../../git/objects/quarantine.ts';

/**
 * Copies the commits of a head into the repository of the base, so that a pull request never depends on its fork. They are unreachable
 * until a ref points to them: see keep.ts.
 * @param have a commit of the base; its history is there already
 */
export async function takeOver(
  { git, settings }: Pick<Context, 'git' | 'settings'>,
  head: Repository,
  base: Repository,
  { want, have }: { want: string; have: string },
): Promise<void> {
  if (head.id === base.id) return;
  const to = git.locate(base);
  if (await readCommit(to, git.pool, want)) return;
  await inQuarantine(to, (quarantine) => copyCommits(git.locate(head), to, quarantine, { want, have }, settings.git.timeout));
}
