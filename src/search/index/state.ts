import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { FORMAT } from './format.ts';
import { readyIndex } from './rows.ts';
import { sourceBranch } from './source.ts';

/** The state of a repository's index: missing, of an earlier commit, incomplete, or complete. */
export type IndexState = 'building' | 'behind' | 'partial' | 'whole';

/** The state of the index of a repository. */
export async function indexState(context: Context, repository: Repository): Promise<IndexState> {
  if (repository.is_empty) return 'whole';
  const index = await readyIndex(context, repository.id);
  if (index?.format !== FORMAT) return 'building';
  const { commit_id } = await sourceBranch(context, repository);
  if (index.commit_id !== commit_id) return 'behind';
  return index.is_partial ? 'partial' : 'whole';
}
