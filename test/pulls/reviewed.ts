import assert from 'node:assert/strict';
import { type CodeRepository, codeRepository } from '../code/repository.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** Twenty lines. */
export const LINES = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);

/** A repository of `owner` with pull requests to review. */
export interface Reviewed extends CodeRepository {
  /** Opens a pull request that changes line ten of `a.txt` and adds `b.txt`; returns its number. */
  open(by: Client, fields?: Record<string, unknown>): Promise<number>;
  /** Commits a file through the API as `by`, and waits for everything that follows. */
  commit(by: Client, branch: string, path: string, content: string): Promise<string>;
}

/** {@link Reviewed} by its collaborators: names and what they may do. */
export async function reviewed(
  t: TestServer,
  owner: Client,
  name: string,
  collaborators: Readonly<Record<string, string>>,
): Promise<Reviewed> {
  const repository = await codeRepository(t, owner, name, [{ label: 'base', files: { 'a.txt': `${LINES.join('\n')}\n` } }]);
  for (const [user, permission] of Object.entries(collaborators)) {
    await owner.must('PUT', `${repository.path}/collaborators/${user}`, { permission });
  }
  let count = 0;
  const commit: Reviewed['commit'] = async (by, branch, path, content) => {
    const at = `${repository.path}/contents/${path}`;
    const there = await by.get(`${at}?ref=${encodeURIComponent(branch)}`);
    const body = { branch, content: Buffer.from(content).toString('base64'), message: `Change ${path}` };
    const response = there.status === 200 ? await by.put(at, { ...body, sha: there.json.sha }) : await by.post(at, body);
    assert.ok(response.status < 300, response.text);
    await t.settled();
    return response.json.commit.sha;
  };
  const open: Reviewed['open'] = async (by, fields = {}) => {
    const branch = `topic-${++count}`;
    await owner.must('POST', `${repository.path}/branches`, { new_branch_name: branch, old_branch_name: 'main' });
    await commit(owner, branch, 'a.txt', `${LINES.with(9, 'LINE TEN').join('\n')}\n`);
    await commit(owner, branch, 'b.txt', 'new\n');
    const { number } = await by.must('POST', `${repository.path}/pulls`, { head: branch, base: 'main', title: branch, ...fields });
    return number;
  };
  return { ...repository, open, commit };
}
