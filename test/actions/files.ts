import type { Client } from '../support/client.ts';

/** A job that runs on `linux`. */
export const JOB = 'jobs:\n  a:\n    runs-on: linux\n    steps:\n      - run: echo\n';

/** Writes files into a repository, as one commit. */
export async function write(client: Client, path: string, files: Readonly<Record<string, string>>, more: object = {}): Promise<string> {
  const changes = Object.entries(files).map(([name, text]) => ({
    operation: 'create',
    path: name,
    content: Buffer.from(text).toString('base64'),
  }));
  const { commit } = await client.must('POST', `${path}/contents`, { files: changes, message: 'Change', ...more });
  return commit.sha;
}

/** The runs of a repository as short texts, sorted. */
export async function runsOf(client: Client, path: string, query = ''): Promise<string[]> {
  const { workflow_runs: runs } = await client.must('GET', `${path}/actions/runs?limit=50${query}`);
  return runs.map((run: Record<string, string>) => [run.path, run.event, run.status, run.conclusion].filter(Boolean).join(' ')).sort();
}
