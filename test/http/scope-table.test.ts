import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

/**
 * What tokens of each scope may do, written out by hand from the specification: for each route the answer to those that may, and
 * which these are. All the others, and none but they, are refused with 403. The tokens are those of a site administrator, so
 * that nothing else keeps them out.
 */

const CATEGORIES = ['activitypub', 'admin', 'issue', 'misc', 'notification', 'organization', 'package', 'repository', 'user'];
const SCOPES = [...CATEGORIES.flatMap((category) => [`read:${category}`, `write:${category}`]), 'all'];

const TABLE = `
  GET    /repos/acme/open                        200  read:repository write:repository
  PATCH  /repos/acme/open                        200  write:repository
  GET    /repos/acme/open/contents               200  read:repository write:repository
  POST   /repos/acme/open/contents               201  write:repository
  GET    /repos/acme/open/raw/README.md          200  read:repository write:repository
  GET    /repos/acme/open/hooks                  200  read:repository write:repository
  POST   /repos/acme/open/hooks                  201  write:repository
  GET    /repos/acme/open/keys                   200  read:repository write:repository
  GET    /repos/acme/open/pulls                  200  read:repository write:repository
  GET    /repos/acme/open/times                  200  read:repository write:repository
  GET    /repos/search                           200  read:repository write:repository
  GET    /topics/search                          200  read:repository write:repository
  PUT    /repos/acme/open/subscription           200  write:repository
  GET    /user/repos                             200
  POST   /user/repos                             201
  GET    /user/starred                           200
  PUT    /user/starred/acme/open                 204

  GET    /repos/acme/open/issues                 200  read:issue write:issue
  POST   /repos/acme/open/issues                 201  write:issue
  GET    /repos/acme/open/issues/1/comments      200  read:issue write:issue
  POST   /repos/acme/open/issues/1/comments      201  write:issue
  GET    /repos/acme/open/labels                 200  read:issue write:issue
  POST   /repos/acme/open/labels                 201  write:issue
  GET    /repos/acme/open/milestones             200  read:issue write:issue
  GET    /repos/issues/search                    200  read:issue write:issue

  GET    /notifications                          200  read:notification write:notification
  PUT    /notifications                          205  write:notification
  GET    /repos/acme/open/notifications          200  read:notification write:notification
  PUT    /repos/acme/open/notifications          205  write:notification

  GET    /orgs                                   200  read:organization write:organization
  GET    /orgs/acme                              200  read:organization write:organization
  PATCH  /orgs/acme                              200  write:organization
  GET    /orgs/acme/labels                       200  read:organization write:organization
  POST   /orgs/acme/labels                       201  write:organization
  GET    /orgs/acme/hooks                        200  read:organization write:organization
  GET    /orgs/acme/repos                        200  read:organization write:organization
  GET    /orgs/acme/teams                        200  read:organization write:organization
  GET    /teams/@                                200  read:organization write:organization
  PATCH  /teams/@                                200  write:organization
  POST   /org/acme/repos                         201

  GET    /user                                   200  read:user write:user
  GET    /user/settings                          200  read:user write:user
  PATCH  /user/settings                          200  write:user
  GET    /user/emails                            200  read:user write:user
  GET    /user/keys                              200  read:user write:user
  PUT    /user/following/bob                     204  write:user
  PUT    /user/blocks/carol                      204  write:user
  GET    /users/bob                              200  read:user write:user
  GET    /users/search                           200  read:user write:user
  GET    /users/bob/followers                    200  read:user write:user
  GET    /users/bob/repos                        200
  GET    /users/bob/orgs                         200
  GET    /user/orgs                              200

  GET    /admin/users                            200  read:admin write:admin
  GET    /admin/cron                             200  read:admin write:admin
  POST   /admin/cron/archive_cleanup             204  write:admin
  GET    /admin/hooks                            200  read:admin write:admin
  POST   /admin/users/bob/orgs                   201  write:admin
`;

/** Routes without a category, for tokens of all scopes. */
const OPEN = ['GET /version', 'GET /settings/api', 'GET /gitignore/templates', 'GET /licenses', 'GET /label/templates', 'POST /markdown'];

const BODIES: Record<string, object> = {
  'PATCH /repos/acme/open': { description: 'Changed' },
  'POST /repos/acme/open/contents': { files: [{ operation: 'create', path: 'file-#', content: '' }] },
  'POST /repos/acme/open/hooks': { type: 'gitea', config: { url: 'https://example.com/', content_type: 'json' } },
  'POST /user/repos': { name: 'repo-#' },
  'POST /org/acme/repos': { name: 'repo-#' },
  'POST /repos/acme/open/issues': { title: 'Issue #' },
  'POST /repos/acme/open/issues/1/comments': { body: 'Words' },
  'POST /repos/acme/open/labels': { name: 'label-#', color: '#00aabb' },
  'PATCH /orgs/acme': { description: 'Changed' },
  'POST /orgs/acme/labels': { name: 'label-#', color: '#00aabb' },
  'PATCH /teams/@': { description: 'Changed' },
  'PATCH /user/settings': { location: 'Ulm' },
  'POST /admin/users/bob/orgs': { username: 'org-#' },
  'POST /markdown': { Text: 'words' },
};

const t = await testServer();
const { admin } = t;
for (const name of ['bob', 'carol']) await t.user(name);
await admin.must('POST', '/orgs', { username: 'acme' });
await admin.must('POST', '/orgs/acme/repos', { name: 'open', auto_init: true, default_branch: 'main' });
await admin.must('POST', '/repos/acme/open/issues', { title: 'First' });
const team = await admin.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] });
const tokens = new Map<string, Client>();
for (const scope of SCOPES) tokens.set(scope, await admin.token([scope]));

let number = 0;
async function send(client: Client, method: string, path: string): Promise<number> {
  const body = BODIES[`${method} ${path}`];
  const json = body && JSON.parse(JSON.stringify(body).replaceAll('#"', `${++number}"`));
  // What can be done once only is undone for the next token.
  if (method === 'PUT' && path.startsWith('/user/')) await admin.delete(path);
  return (await client.send(method, path.replace('@', String(team.id)), json ? { json } : {})).status;
}

describe('a token', () => {
  for (const line of TABLE.trim().split(/\n\s*/)) {
    const [method = '', path = '', status = '', ...scopes] = line.split(/\s+/);
    it(`does ${method} ${path} with ${scopes.join(', ') || 'all scopes only'}`, async () => {
      const got: string[] = [];
      for (const [scope, client] of tokens) got.push(`${scope} ${await send(client, method, path)}`);
      assert.deepEqual(
        got,
        SCOPES.map((scope) => `${scope} ${scope === 'all' || scopes.includes(scope) ? status : 403}`),
      );
    });
  }

  for (const [method = '', path = ''] of OPEN.map((line) => line.split(' '))) {
    it(`does ${method} ${path} whatever its scope`, async () => {
      for (const [scope, client] of tokens) assert.equal(await send(client, method, path), 200, scope);
    });
  }

  it('of two categories does what needs both', async () => {
    for (const [scopes, path] of [
      [['read:user', 'read:repository'], '/user/repos'],
      [['read:user', 'read:repository'], '/users/bob/repos'],
      [['read:user', 'read:organization'], '/user/orgs'],
      [['read:user', 'read:organization'], '/users/bob/orgs'],
    ] as const) {
      assert.equal((await (await admin.token([...scopes])).get(path)).status, 200, path);
    }
  });
});
