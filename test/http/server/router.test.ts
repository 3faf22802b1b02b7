import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyRoute } from '../../../src/http/route.ts';
import { Router, routerOf } from '../../../src/http/server/router.ts';
import type { Settings } from '../../../src/settings.ts';
import { testSettings } from '../../support/settings.ts';

function routeOf(method: AnyRoute['method'], path: string, more: Partial<AnyRoute> = {}): AnyRoute {
  return { method, path, id: `${method} ${path}`, summary: '', responses: {}, handle: async () => null, ...more } as AnyRoute;
}

const routes = [
  routeOf('GET', '/version'),
  routeOf('GET', '/users/:name/keys', { when: ({ packages }: Settings) => packages.enabled }),
  routeOf('POST', '/users/:name/keys'),
  routeOf('GET', '//:owner/:repo'),
  routeOf('GET', '//:owner/:repo/raw/*', { head: false }),
  routeOf('HEAD', '//files/:name'),
];

function found(router: Router, method: string, target: string) {
  const match = router.find(method, target);
  return match && [match.pattern, { ...match.params }, match.isHeadOfGet];
}

describe('the router', () => {
  const router = new Router(routes, 20);

  it('finds the route of a path, with what the path names', () => {
    assert.deepEqual(found(router, 'GET', '/api/v1/version?a=b'), ['/api/v1/version', {}, false]);
    assert.deepEqual(found(router, 'POST', '/api/v1//users/a%20b/keys/'), ['/api/v1/users/:name/keys', { name: 'a b' }, false]);
    assert.deepEqual(found(router, 'GET', '/a/b/raw/c/d'), ['/:owner/:repo/raw/*', { owner: 'a', repo: 'b', '*': 'c/d' }, false]);
    for (const [method, target] of [
      ['POST', '/api/v1/version'],
      ['PROPFIND', '/a/b'],
      ['GET', `/a/${'b'.repeat(21)}`],
    ] as const)
      assert.equal(found(router, method, target), undefined, target);
  });

  it('serves HEAD of pages as GET, and of the API only where a route says so', () => {
    assert.deepEqual(found(router, 'HEAD', '/a/b')?.[2], true);
    assert.deepEqual(found(router, 'HEAD', '/files/a')?.[2], false);
    assert.equal(found(router, 'HEAD', '/a/b/raw/c'), undefined);
    assert.equal(found(router, 'HEAD', '/api/v1/version'), undefined);
  });

  it('knows the methods of a path, which is nobody’s repository in the API', () => {
    assert.deepEqual(router.methodsOf('/api/v1/users/a/keys'), ['GET', 'POST']);
    assert.deepEqual(router.methodsOf('/a/b'), ['GET']);
    assert.deepEqual(router.methodsOf('/api/v1'), []);
  });

  it('is shared by servers whose settings turn on the same routes', () => {
    const settings = testSettings();
    const without = testSettings({ packages: { enabled: false } });
    assert.equal(routerOf(routes, settings), routerOf(routes, testSettings()));
    assert.deepEqual(routerOf(routes, settings).methodsOf('/api/v1/users/a/keys'), ['GET', 'POST']);
    assert.deepEqual(routerOf(routes, without).methodsOf('/api/v1/users/a/keys'), ['POST']);
    assert.notEqual(routerOf(routes, settings), routerOf(routes, testSettings({ limits: { queryLength: 100 } })));
  });
});
