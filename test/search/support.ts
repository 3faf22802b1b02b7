import type { Client } from '../support/client.ts';
import { type TestServer, testServer } from '../support/server.ts';
import type { SettingsOverrides } from '../support/settings.ts';

/** A server that indexes code. */
export function searchServer(codeSearch: SettingsOverrides['codeSearch'] = {}): Promise<TestServer> {
  return testServer({ codeSearch: { enabled: true, timeout: 20_000, timePerCaller: 3_600_000, ...codeSearch } });
}

/** Resolves when what was pushed is indexed, without the moment that more pushes are waited for. */
export async function indexed(t: TestServer): Promise<void> {
  await t.settled();
  await t.context.db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'code-search.update').execute();
  await t.settled();
}

/** Creates a repository with files through the API. */
export async function pushed(owner: Client, name: string, files: Record<string, string>, options: Record<string, unknown> = {}) {
  await owner.must('POST', '/user/repos', { name, default_branch: 'main', ...options });
  await change(owner, `${owner.name}/${name}`, files);
}

/** Writes files of a repository in one commit; an empty text deletes one. */
export async function change(client: Client, repository: string, files: Record<string, string>, branch = 'main'): Promise<void> {
  const path = `/repos/${repository}/contents`;
  const operations = [];
  for (const [file, text] of Object.entries(files)) {
    const known = await client.get(`${path}/${file}?ref=${branch}`);
    const sha = known.status === 200 ? { sha: known.json.sha } : {};
    const operation = text === '' ? 'delete' : known.status === 200 ? 'update' : 'create';
    operations.push({ operation, path: file, ...sha, ...(text !== '' && { content: Buffer.from(text).toString('base64') }) });
  }
  await client.must('POST', path, { files: operations, branch, message: 'change' });
}

/** The body of a search. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever its shape
export async function search(client: Client, query: Record<string, string | number>, within = ''): Promise<any> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return await client.must('GET', `${within}/search/code?${parameters}`);
}

/** Where a search finds something, as `owner/name:path`, sorted. */
export async function found(client: Client, q: string, more: Record<string, string | number> = {}): Promise<string[]> {
  const { items } = await search(client, { q, ...more });
  return items.map((item: { path: string; repository: { full_name: string } }) => `${item.repository.full_name}:${item.path}`).sort();
}
