/* The bodies of the requests of the access table. `#` is a number that is new with each request. */

const BODIES: Record<string, object> = {
  'PATCH /repos/acme/closed': { description: 'Changed' },
  'PATCH /repos/acme/open': { description: 'Changed' },
  'POST /repos/acme/closed/transfer': { new_owner: 'nobody-there' },
  'PUT /repos/acme/closed/topics': { topics: ['one'] },
  'PATCH /orgs/acme': { description: 'Changed' },
  'PUT /repos/acme/closed/collaborators/reader': { permission: 'read' },
  'POST /repos/acme/closed/branch_protections': { rule_name: 'rule-#' },
  'POST /repos/acme/closed/issues/1/times': { time: 1 },
  'POST /repos/acme/closed/issues/1/deadline': { due_date: null },
  'POST /repos/acme/closed/forks': { name: 'fork-#' },
  'POST /repos/acme/closed/pulls': { head: 'main', base: 'main', title: 'Nothing' },
  'POST /orgs': { username: 'org-#' },
  'POST /admin/users': { username: 'user-#', email: 'user-#@example.com', password: 'Test-Passw0rd' },
  'POST /users/stranger/tokens': { name: 'token-#', scopes: ['read:user'] },
  'POST /markdown': { Text: 'words' },
  'PATCH /teams/@': { description: 'Changed' },
  'PATCH /repos/acme/closed/issues/1': { title: 'Changed' },
  'PUT /repos/acme/closed/issues/1/lock': {},
  'POST /orgs/acme/teams': { name: 'team-#', permission: 'read', units: ['repo.code'] },
  'POST /orgs/acme/repos': { name: 'repo-#' },
  'POST /user/repos': { name: 'repo-#' },
  'POST /admin/users/stranger/orgs': { username: 'org-#' },
};
const BODIES_BY_END: Record<string, object> = {
  branches: { new_branch_name: 'branch-#' },
  contents: { files: [{ operation: 'create', path: 'file-#', content: '' }] },
  issues: { title: 'Issue #' },
  comments: { body: 'Words' },
  hooks: { type: 'gitea', config: { url: 'https://example.com/', content_type: 'json' } },
  '~': { state: 'success' },
  milestones: { title: 'Milestone #' },
  tags: { tag_name: 'tag-#', target: 'main' },
  labels: { name: 'label-#', color: '#00aabb' },
};

let number = 0;

/** The body of the next request to a route of the table, with names that are new. */
export function bodyOf(method: string, path: string): object | undefined {
  if (method === 'GET') return undefined;
  const body = BODIES[`${method} ${path}`] ?? BODIES_BY_END[path.slice(path.lastIndexOf('/') + 1)];
  return body && JSON.parse(JSON.stringify(body).replaceAll(/#(?=["@])/g, String(++number)));
}
