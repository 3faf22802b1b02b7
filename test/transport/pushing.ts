import assert from 'node:assert/strict';
import { runGit } from '../../src/git/processes/process.ts';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';
import { onServer, workTree } from './work-tree.ts';

/** The content type of the body of a push. */
export const REQUEST = 'application/x-git-receive-pack-request';

/** Requires that git finds nothing wrong in the repository at a path. */
export async function requireSound(path: string): Promise<void> {
  const { stdout, stderr } = await runGit(['fsck', '--full', '--strict', '--no-dangling'], { cwd: path });
  assert.equal(`${stdout}${stderr}`.replace(/^notice: .*\n/gm, ''), '');
}

/** A server that makes repositories by a push and takes at most 2 MiB in one, with alice and bob. */
export async function pushingServer() {
  const t = await testServer({ repository: { pushToCreateUser: true }, limits: { pushBody: 2 * 1024 * 1024 } });
  const alice = await t.user('alice');
  const bob = await t.user('bob');

  /** A repository of alice's with one commit on main, and her clone of it. */
  async function filled(name: string, fields: Record<string, unknown> = {}) {
    await alice.must('POST', '/user/repos', { name, default_branch: 'main', ...fields });
    const options = fields.object_format_name === 'sha256' ? { objectFormat: 'sha256' } : {};
    const tree = await workTree(t, alice, `alice/${name}`, options);
    const first = await tree.commit({ 'README.md': `# ${name}\n` }, 'First');
    await tree.git('push', '-q', 'origin', 'main');
    return { tree, first, ...(await onServer(t, 'alice', name)) };
  }

  /** The same without her clone. */
  async function laid(name: string, fields: Record<string, unknown> = {}) {
    const { row, id } = await codeRepository(t, alice, name, [{ label: 'one', files: { 'README.md': `# ${name}\n` } }], fields);
    return { row, first: id('one'), folder: t.context.git.locate(row) };
  }

  return { t, alice, bob, filled, laid };
}
