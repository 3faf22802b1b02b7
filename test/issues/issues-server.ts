import { testServer } from '../support/server.ts';

/** A server with alice, who makes repositories that the writer may write to and the reader read. */
export async function issuesServer() {
  const t = await testServer();
  const alice = await t.user('alice');
  const writer = await t.user('writer');
  const reader = await t.user('reader');
  const stranger = await t.user('stranger');

  let count = 0;
  async function newRepository(fields: object = {}): Promise<string> {
    const name = `demo-${++count}`;
    await alice.must('POST', '/user/repos', { name, ...fields });
    const path = `/repos/alice/${name}`;
    await alice.must('PUT', `${path}/collaborators/writer`, { permission: 'write' });
    await alice.must('PUT', `${path}/collaborators/reader`, { permission: 'read' });
    return path;
  }

  return { t, alice, writer, reader, stranger, newRepository };
}
