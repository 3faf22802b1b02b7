import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** Makes repositories with hooks, and looks at their deliveries. */
export function hooking(server: TestServer, owner: Client) {
  let repositories = 0;
  /** Makes a repository with a hook for its issues. */
  const hooked = async (url: string, fields: { config?: object; [name: string]: unknown } = {}) => {
    const name = `demo${++repositories}`;
    await owner.must('POST', '/user/repos', { name });
    const path = `/repos/${owner.name}/${name}`;
    const { config = {}, ...rest } = fields;
    const hook = { type: 'gitea', active: true, events: ['issues'], ...rest, config: { url, content_type: 'json', ...config } };
    const { id } = await owner.must('POST', `${path}/hooks`, hook);
    return { path, id: Number(id), open: (title: string) => owner.must('POST', `${path}/issues`, { title }) };
  };
  /** The deliveries of a hook, the oldest first. */
  const rows = (hookId: number) =>
    server.context.db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', hookId).orderBy('id').execute();
  /** Makes what is to be tried again later due now. */
  const hurry = async (hookId: number): Promise<void> => {
    const { db } = server.context;
    await db.updateTable('webhook_deliveries').set({ due_at: 1 }).where('webhook_id', '=', hookId).where('state', '=', 'waiting').execute();
    await db.updateTable('webhooks').set({ due_at: 1 }).where('id', '=', hookId).execute();
    await server.settled();
  };
  return { hooked, rows, hurry };
}
