import { findRepositoryOf } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import { findIssue } from '../../src/issues/find.ts';
import { setProject } from '../../src/projects/cards.ts';
import { createProject } from '../../src/projects/projects.ts';
import type { TestServer } from '../support/server.ts';

/** A board of a repository of Alice's, with an issue on it. Returns its id. */
export async function hiddenBoards({ context }: TestServer, name: string, title: string): Promise<number[]> {
  const actor = await findUser(context.db, 'alice');
  const repository = actor && (await findRepositoryOf(context.db, actor, name));
  const issue = repository && (await findIssue(context.db, repository, 1));
  if (!issue) throw new Error('there is no issue');
  const asAlice = { ...context, actor };
  const fields = { title, description: title, cardType: 'images', template: 'basic_kanban' } as const;
  const board = await createProject(asAlice, { repository }, fields);
  await setProject(asAlice, issue, board);
  return [board.id];
}
