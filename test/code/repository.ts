import { findRepositoryOf, type Repository } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import { type Fixture, type FixtureCommit, fillRepository } from '../git/fixture.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** A repository of the server that a test has filled. */
export interface CodeRepository extends Pick<Fixture, 'git' | 'id'> {
  readonly row: Repository;
  /** The API URL of the repository. */
  readonly path: string;
}

/** Creates a repository through the API and writes commits directly into its folder. */
export async function codeRepository(
  t: TestServer,
  owner: Client,
  name: string,
  commits: readonly FixtureCommit[],
  options: Record<string, unknown> = {},
): Promise<CodeRepository> {
  await owner.must('POST', '/user/repos', { name, default_branch: 'main', ...options });
  const { context } = t;
  const user = await findUser(context.db, owner.name);
  const row = user && (await findRepositoryOf(context.db, user, name));
  if (!row) throw new Error(`no repository ${name}`);
  const filled = await fillRepository(context.git.locate(row), commits);
  await context.db
    .updateTable('repositories')
    .set({ is_empty: commits.length === 0 })
    .where('id', '=', row.id)
    .execute();
  return { ...filled, row, path: `/repos/${owner.name}/${name}` };
}
