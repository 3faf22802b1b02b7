import { codeRepository } from '../code/repository.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { cloned, type WorkTree } from '../transport/work-tree.ts';

/** A repository with one commit on main, and its owner's clone. */
export async function pushed(t: TestServer, owner: Client, name: string, fields: Record<string, unknown> = {}) {
  const { row, path, id } = await codeRepository(t, owner, name, [{ label: 'First', files: { 'README.md': `# ${name}\n` } }], fields);
  const tree = await cloned(t, owner, `${owner.name}/${name}`);
  return { tree, first: id('First'), path, row, folder: t.context.git.locate(row) };
}

/** Commits files on a branch that begins at `from`, and pushes it. */
export async function pushBranch(tree: WorkTree, branch: string, files: Readonly<Record<string, string>>, from = 'main'): Promise<string> {
  await tree.git('checkout', '-q', '-B', branch, from);
  const id = await tree.commit(files, `On ${branch}`);
  await tree.git('push', '-q', 'origin', branch);
  return id;
}
