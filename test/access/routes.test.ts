import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadOrganization, loadRepository, loadTeam, loadTemplate, loadUser, loadVisibleUser } from '../../src/access/load.ts';
import { loadFeedOwner } from '../../src/activity/syndication/load.ts';
import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { loadPackage, loadPackageOwner, loadPackageVersion } from '../../src/packages/api/load.ts';
import { web } from '../../src/web/feature.ts';

/** What a route loads, by the parameters at the place of its path that names it. */
const FAMILIES: readonly { path: RegExp; loads: AnyRoute['loads'] }[] = [
  { path: /:owner\/:repo(?=\/|[.]|$)/, loads: loadRepository },
  { path: /:template_owner\/:template_repo/, loads: loadTemplate },
  { path: /^\/packages\/:owner(?:$|\/(?:cleanup-rules|upstreams))/, loads: loadPackageOwner },
  { path: /^\/packages\/:owner\/:type\/:name(?:$|\/-\/)/, loads: loadPackage },
  { path: /^\/packages\/:owner\/:type\/:name\/:version/, loads: loadPackageVersion },
  { path: /^\/orgs\/:org/, loads: loadOrganization },
  { path: /^\/teams\/:id/, loads: loadTeam },
  { path: /^\/\/:username[.]/, loads: loadFeedOwner },
  { path: /^\/users\/:username/, loads: loadVisibleUser },
  { path: /^\/(?:admin\/users|user\/(?:following|blocks))\/:username/, loads: loadUser },
];

/** Routes that look for what their path names themselves: why. */
const THEMSELVES: readonly { path: RegExp; why: string }[] = [
  {
    path: /^\/\/:owner\/:repo(?:$|\/(?:info|objects|git-|HEAD))/,
    why: 'programs of git are told of a missing repository in their own way',
  },
  { path: /\/artifacts\/:artifact_id\/zip\/raw$/, why: 'a signed link is for clients that send no credentials' },
  { path: /^\/admin\/unadopted\//, why: 'a folder, for which there is no repository yet' },
];

/** Those of the API and of programs: pages load by `pageLoading`, which first leads visitors to the page where they sign in. */
const routes = allRoutes.filter((route) => !web.routes?.includes(route));

describe('what a route loads', () => {
  it('is declared by every route whose path names it, and by no other', () => {
    const wrong = routes
      .filter(({ path }) => !THEMSELVES.some((one) => one.path.test(path)))
      .filter(({ path, loads }) => FAMILIES.find((family) => family.path.test(path))?.loads !== loads)
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(wrong, []);
  });

  it('is left to the few that are known', () => {
    for (const { path, why } of THEMSELVES) {
      const found = routes.filter((route) => path.test(route.path));
      assert.ok(found.length > 0, why);
      assert.ok(found.every(({ loads }) => loads === undefined));
    }
  });
});
