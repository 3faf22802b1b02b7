import { storedRef } from '../../../src/git/refs/stored-refs.ts';
import type { Client } from '../../support/client.ts';
import type { TestServer } from '../../support/server.ts';
import { cloned } from '../../transport/work-tree.ts';
import { codeRepository } from '../repository.ts';

/** Makes a repository of `owner` with one commit and these writers, and the owner's clone. */
export async function repositoryOf(t: TestServer, owner: Client, name: string, writers: readonly Client[]) {
  const files = { 'README.md': 'one\n', 'config/app.yml': 'a: 1\n', 'docs/a.md': 'a\n' };
  const { path, row, id } = await codeRepository(t, owner, name, [{ label: 'First', files }]);
  for (const { name: user } of writers) await owner.must('PUT', `${path}/collaborators/${user}`, { permission: 'write' });
  const tree = await cloned(t, owner, `${owner.name}/${name}`);
  const folder = t.context.git.locate(row);
  return { path, tree, first: id('First'), folder, row, at: (branch: string) => storedRef(folder, `refs/heads/${branch}`) };
}
