import type { Client } from '../support/client.ts';

/** Where one of most things is, by a regular expression of paths and the name of a parameter in them; what comes later counts. */
export type ParameterValues = readonly (readonly [paths: string, values: Readonly<Record<string, string | number>>])[];

/** What the seeds are called. */
export interface Seeds {
  readonly owner: string;
  readonly org: string;
  readonly repo: string;
}

/** The places of what a user has; what is missing is left out. */
export async function parameterValues(user: Client, root: Client, { owner, org, repo }: Seeds): Promise<ParameterValues> {
  const at = `/repos/${owner}/${repo}`;
  const [head] = await list(user, `${at}/commits?limit=1`);
  const [team] = await list(user, `/orgs/${org}/teams`);
  const { id } = await user.must('GET', at);
  const { id: userid } = await user.must('GET', '/user');
  const first = async (client: Client, path: string) => (await list(client, path))[0]?.id;
  const found: [string, Record<string, string | number | undefined>][] = [
    ['^/', { username: owner, user: owner, collaborator: owner, target: 'root', head: 'topic', userid }],
    ['^/', { sha: head?.sha, ref: 'main', branch: 'main', tag: 'v1', filepath: 'README.md', position: 1, diffType: 'diff' }],
    [
      '^/',
      { basehead: 'main...topic', archive: 'main.zip', pageName: 'Home', topic: 'topic', secretname: 'SECRET', variablename: 'VARIABLE' },
    ],
    ['^/', { type: 'generic', version: '1.0', name: 'thing', repo_name: repo, workflow_id: 'one.yaml', task: 'git_gc_repos' }],
    ['/commits/\\{ref\\}', { ref: head?.sha }],
    ['/git/refs/', { ref: 'heads/main' }],
    ['/git/blobs/', { sha: await blob(user, at) }],
    ['/pulls/', { index: 3 }],
    ['/branch_protections/', { name: 'protected' }],
    ['/gitignore/', { name: 'Go' }],
    ['/licenses/', { name: 'MIT' }],
    ['/label/templates/', { name: 'Default' }],
    ['^/repositories/', { id }],
    ['^/teams/', { id: team?.id }],
    ['/labels/', { id: await first(user, `${at}/labels`) }],
    ['^/orgs/.*/labels/', { id: await first(user, `/orgs/${org}/labels`) }],
    ['/milestones/', { id: await first(user, `${at}/milestones`) }],
    ['/comments/', { id: await first(user, `${at}/issues/1/comments`) }],
    ['/pulls/comments/', { id: await reviewComment(user, at) }],
    ['/reviews/', { id: await first(user, `${at}/pulls/3/reviews`) }],
    ['/times/', { id: await first(user, `${at}/issues/1/times`) }],
    ['/releases/', { id: await first(user, `${at}/releases`) }],
    ['/hooks/', { id: await first(user, `${at}/hooks`) }],
    ['^/orgs/.*/hooks/', { id: await first(user, `/orgs/${org}/hooks`) }],
    ['^/user/hooks/', { id: await first(user, '/user/hooks') }],
    ['^/admin/hooks/', { id: await first(root, '/admin/hooks') }],
    ['/hooks/git/', { id: 'pre-receive' }],
    ['/tag_protections/', { id: await first(user, `${at}/tag_protections`) }],
    ['/applications/oauth2/', { id: await first(user, '/user/applications/oauth2') }],
    ['/notifications/threads/', { id: await first(user, '/notifications?all=true') }],
    ['/cleanup-rules/', { id: await first(user, `/packages/${owner}/cleanup-rules`) }],
    ['/upstreams/', { id: await first(user, `/packages/${owner}/upstreams`) }],
    ['/assets/', { attachment_id: await first(user, `${at}/issues/1/assets`) }],
  ];
  return found.map(([paths, values]) => [paths, known(values)]);
}

function known(values: Record<string, string | number | undefined>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

async function list(client: Client, path: string): Promise<{ id?: number; sha?: string }[]> {
  const { status, json } = await client.get(path);
  return status === 200 && Array.isArray(json) ? json : [];
}

async function blob(user: Client, at: string): Promise<string | undefined> {
  return (await user.get(`${at}/contents/README.md`)).json?.sha;
}

async function reviewComment(user: Client, at: string): Promise<number | undefined> {
  const [review] = await list(user, `${at}/pulls/3/reviews`);
  return (await list(user, `${at}/pulls/3/reviews/${review?.id}/comments`))[0]?.id;
}
