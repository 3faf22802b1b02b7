// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AUDIT_ACTIONS } from '../../src/audit/actions.ts';
import { ACTS } from '../../src/audit/acts.ts';
import { allRoutes } from '../../src/features.ts';

/** Paths of what concerns access and administration. */
const CLASSES =
  /^\/admin\/|\/(?:gpg_)?keys?(?:\/|$)|tokens?(?:\/|$)|2fa|two_factor|collaborators|teams|members|hooks|protections|secrets|variables|runners|Register$|transfer|emails|applications|mirrors|\/blocks|login|log_?out|sign_up|password|recover|activate|sessions|grant/;

/** Why a route of these classes has no act of its own. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^\/\/(?:api\/packages|v2)\//,
    'deleted versions are recorded by their event, tokens of registries are a sign-in by a token that exists',
  ],
  [/^\/\/login\/oauth\/(?:access_token|introspect|userinfo)$/, 'what the user has granted is recorded; tokens follow from it'],
  [/^\/user\/(?:following|avatar|starred)|\/(?:avatar|subscription|topics\/:topic)$/, 'how things look and what somebody likes'],
  [/\/(?:branches|tags|contents)\/\*$|\/wiki\/page\//, 'Git keeps what was changed, and the activities show it'],
  [/\/(?:labels\/:id|labels|milestones\/:id)$/, 'contents of issues'],
  [/\/issues\/(?::index|comments)\/.+|\/issues\/comments\/:id$/, 'contents of issues'],
  [/\/pulls\/:index\//, 'contents of pull requests'],
  [/\/releases\/:id\/assets\//, 'contents of a release'],
  [/\/push_mirrors-sync$|\/settings\/mirrors\/(?:push\/)?sync$|\/hooks\/:id(?:\(.*\))?\/(?:tests|replay\/:uuid)$/, 'changes nothing'],
  [/\/upstreams\/:id\/packages\/:name$|\/actions\/artifacts\/|^\/user\/migrations\/:id$/, 'what can be made or fetched again'],
  [/^\/\/user\/(?:forgot_password|settings\/emails\/confirm)$/, 'sends a mail'],
];

const isWriting = ({ method }: { method: string }) => method !== 'GET' && method !== 'HEAD';

describe('the audit log', () => {
  it('has an act of each route that changes access, or a reason why not', () => {
    const isConcerned = (method: string, path: string) =>
      method === 'DELETE' || CLASSES.test(path) || (method === 'PATCH' && /^\/(?:repos\/:owner\/:repo|orgs\/:org)$/.test(path));
    const missing = allRoutes
      .filter((route) => isWriting(route) && isConcerned(route.method, route.path) && !ACTS[route.id])
      .filter(({ path }) => !REASONS.some(([pattern]) => pattern.test(path)))
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(missing, []);
  });

  it('names routes and fields that exist, and no secret ones', () => {
    const routes = new Map(allRoutes.map((route) => [route.id, route]));
    for (const [id, { fields }] of Object.entries(ACTS)) {
      const route = routes.get(id);
      assert.ok(route && isWriting(route), id);
      const properties = typeof route.body === 'object' ? (route.body as { properties?: object }).properties : undefined;
      for (const field of properties ? fields : []) assert.ok(field in (properties ?? {}), `${id} ${field}`);
      assert.deepEqual(
        fields.filter((field) => /^(?:data|value|content|config|authorization_header|key|url|clone_addr|remote_\w+|auth_\w+)$/.test(field)),
        [],
      );
    }
  });

  it('has no two actions of one name', () => {
    assert.equal(new Set(AUDIT_ACTIONS).size, AUDIT_ACTIONS.length);
  });
});
