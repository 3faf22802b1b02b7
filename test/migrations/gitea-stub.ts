import type { Json } from './snapshot.ts';
import { type Stub, sourceStub } from './stub.ts';

const PATH = '/api/v1/repos/o/r';

/** A stub of a Gitea server with the repository `o/r` and nothing in it. */
export async function giteaStub(): Promise<Stub> {
  const stub = await sourceStub('/o/r.git', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
  const empty = ['milestones', 'labels', 'releases', 'issues', 'pulls'].map((list) => [`${PATH}/${list}`, []] as const);
  for (const [path, json] of empty) stub.responses.set(path, json);
  stub.responses.set('/api/v1/settings/api', { max_response_items: 50 });
  stub.responses.set(PATH, { description: 'A stub', default_branch: 'main' });
  stub.responses.set(`${PATH}/topics`, { topics: [] });
  return stub;
}

/** Sets the response for a list, or one page of it, of the stub's repository. */
export function respond(stub: Stub, path: string, json: Json): void {
  stub.responses.set(`${PATH}/${path}`, json);
}

/** An issue as Gitea shows it; comments of it that are said to be there are asked for. */
export function stubIssue(number: number, fields: Record<string, unknown> = {}): Json {
  const times = { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-02T00:00:00Z' };
  return {
    number,
    title: `Issue ${number}`,
    body: 'Text',
    state: 'open',
    user: { id: 7, login: 'dora' },
    comments: 0,
    ...times,
    ...fields,
  };
}

/** The query of a page of issues. */
export const pageOfIssues = (page: number, limit = 50) => `issues?state=all&type=issues&page=${page}&limit=${limit}`;
