import assert from 'node:assert/strict';
import { runGit } from '../../src/git/processes/process.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { testServer } from '../support/server.ts';
import { onServer } from '../transport/work-tree.ts';

/** What a file of contents is sent as. */
export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A server where alice changes repositories. */
export async function changesServer() {
  const t = await testServer();
  const alice = await t.user('alice');

  /** A repository of alice's that begins with a README on main. */
  async function repository(name: string, fields: Record<string, unknown> = {}) {
    await alice.must('POST', '/user/repos', { name, auto_init: true, readme: 'Default', default_branch: 'main', ...fields });
    const { row, folder } = await onServer(t, 'alice', name);
    const at = (ref: string) => storedRef(folder, ref);
    const git = async (...args: string[]) => (await runGit(args, { cwd: folder.path })).stdout.toString().trim();
    return {
      path: `/repos/alice/${name}`,
      row,
      folder,
      at,
      git,
      sound: async () => assert.equal(await git('fsck', '--strict', '--no-dangling'), ''),
    };
  }

  async function moves() {
    return await t.context.db.selectFrom('ref_moves').selectAll().execute();
  }

  return { t, alice, repository, moves };
}
