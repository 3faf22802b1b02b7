import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { onServer, type WorkTree, workTree } from '../transport/work-tree.ts';

/** A repository with one commit on main, and its owner's clone. */
export async function pushed(t: TestServer, owner: Client, name: string, fields: Record<string, unknown> = {}) {
  await owner.must('POST', '/user/repos', { name, default_branch: 'main', ...fields });
  const tree = await workTree(t, owner, `${owner.name}/${name}`);
  const first = await tree.commit({ 'README.md': `# ${name}\n` }, 'First');
  await tree.git('push', '-q', 'origin', 'main');
  return { tree, first, path: `/repos/${owner.name}/${name}`, ...(await onServer(t, owner.name, name)) };
}

/** A clone of what is there already. */
export async function cloned(t: TestServer, client: Client, repository: string): Promise<WorkTree> {
  const tree = await workTree(t, client, repository);
  await tree.git('fetch', '-q', 'origin');
  await tree.git('checkout', '-q', '-B', 'main', 'origin/main');
  return tree;
}

/** Commits files on a branch that begins at `from`, and pushes it. */
export async function pushBranch(tree: WorkTree, branch: string, files: Readonly<Record<string, string>>, from = 'main'): Promise<string> {
  await tree.git('checkout', '-q', '-B', branch, from);
  const id = await tree.commit(files, `On ${branch}`);
  await tree.git('push', '-q', 'origin', branch);
  return id;
}
