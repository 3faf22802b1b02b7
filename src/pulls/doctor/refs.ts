import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { listRefs } from '../../git/refs/refs.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';
import { readyRepositories } from '../../repositories/doctor/folders.ts';
import { headRef } from '../find.ts';
import { keepHead } from '../heads/write-ref.ts';

const PREFIX = 'refs/pull/';

/** Pull requests whose ref is not at their head, and refs of deleted ones. */
export async function* pullRefFindings(context: Context): AsyncGenerator<Finding> {
  for await (const repository of readyRepositories(context)) {
    const folder = context.git.locate(repository);
    const refs = new Map((await listRefs(folder, context.git.pool, PREFIX)).map(({ name, oid }) => [name, oid]));
    const rows = await context.db
      .selectFrom('pull_requests')
      .select(['id', 'number', 'head_id'])
      .where('repository_id', '=', repository.id)
      .orderBy('number')
      .execute();
    for (const row of rows) {
      const name = headRef(row);
      const at = refs.get(name);
      refs.delete(name);
      if (at !== row.head_id) yield await headFinding(context, repository, row, at);
    }
    for (const [name] of refs) {
      yield {
        text: `${nameOf(repository)} has ${name}, which is not a pull request's`,
        fix: () => updateRef(folder, { name, to: null }),
        removes: true,
      };
    }
  }
}

async function headFinding(
  context: Context,
  repository: Repository,
  row: { id: number; number: number; head_id: string },
  at: string | undefined,
): Promise<Finding> {
  const text = `${nameOf(repository)} has ${headRef(row)} on ${at ?? 'nothing'}, not on ${row.head_id}`;
  const isThere = await readCommit(context.git.locate(repository), context.git.pool, row.head_id);
  return isThere ? { text, fix: () => keepHead(context, row.id) } : { text: `${text}, which is lost` };
}

function nameOf({ owner, name, id }: Repository): string {
  return `${owner.name}/${name} (${id})`;
}
