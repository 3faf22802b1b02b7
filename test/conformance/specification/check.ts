import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Actor, Response } from '../harness/actor.ts';
import { Session } from '../harness/session.ts';
import { makeFixture } from './fixture.ts';

/*
 * `check.ts --url URL --admin NAME:PASSWORD [words of a path…]`: checks a running server against the route tables of the
 * specification (`routes.json`). Every GET answers its administrator, and every requirement of a row refuses whom it must.
 * Federation and git hooks have to be on.
 */
interface SpecifiedRoute {
  readonly method: string;
  readonly path: string;
  /** Requirements, such as `tok` or `repo-unit-reader[code]`. */
  readonly checks: readonly string[];
  readonly scope?: string;
}

/** Routes whose GET has nothing to show in the fixture, or responds 204 or 404 by design. */
const WITHOUT_RESPONSE = new RegExp(
  `^(${[
    /RP\/(keys|push_mirrors|teams)\/\{|RP\/git\/notes|RP\/collaborators\/\{collaborator\}$|RP\/commits\/\{ref\}\/pull/,
    /\/user\/(keys|gpg_keys|starred|following|blocks)\/\{|\/notifications\/threads|\/packages\/\{username\}\/\{/,
    /RP\/pulls\/\{index\}\/merge|\/orgs\/\{org\}\/blocks\/\{|RP\/issues\/\{index\}\/subscriptions\/check|RP\/hooks\/git\/|RP\/teams$/,
    /\/admin\/hooks\/|\/users\/\{username\}\/following\/|\/users\/\{username\}\/tokens|\/teams\/\{teamid\}\/repos\/\{/,
    /RP\/subscription$|RP\/signing-key|\/signing-key|\/swagger/,
  ]
    .map(({ source }) => source)
    .join('|')})`,
);

const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, admin: { type: 'string' } },
});
const { url, admin } = flags;
if (!url || !admin) throw new Error('usage: check.ts --url http://127.0.0.1:3000 --admin NAME:PASSWORD [words of a path…]');

const specified = JSON.parse(await readFile(new URL('routes.json', import.meta.url), 'utf8')) as SpecifiedRoute[];
const session = await Session.open(url, admin);
let passed = 0;
const failures: string[] = [];
try {
  const fixture = await makeFixture(session);
  const wanted = specified.filter(({ path }) => words.length === 0 || words.some((word) => path.includes(word)));
  for (const route of wanted) {
    for (const { what, actor, path, holds } of expectations(route, fixture)) {
      const response = await actor.send(route.method, path, ['GET', 'HEAD'].includes(route.method) ? {} : { json: {} });
      const message = String(response.json?.message ?? response.text);
      if (holds(response, message)) passed++;
      else failures.push(`${route.method} ${route.path} · ${what}: got ${response.status} ${JSON.stringify(message).slice(0, 140)}`);
    }
  }
} finally {
  await session.close();
}
for (const line of failures) console.log(`✗ ${line}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;

interface Expectation {
  readonly what: string;
  readonly actor: Actor;
  readonly path: string;
  holds(response: Response, message: string): boolean;
}

function expectations(route: SpecifiedRoute, { owner, stranger, scoped, fill }: Awaited<ReturnType<typeof makeFixture>>): Expectation[] {
  const has = (check: string) => route.checks.some((one) => one === check || one.startsWith(`${check}[`));
  const path = fill(route.path);
  const result: Expectation[] = [];
  const expect = (what: string, actor: Actor | undefined, statuses: readonly number[], text = '', at = path) => {
    if (!actor) throw new Error(`no caller for: ${what}`);
    result.push({ what, actor, path: at, holds: ({ status }, message) => statuses.includes(status) && message.includes(text) });
  };
  if (has('tok')) expect('anonymous gets 401', session.anonymous, [401], has('basic') ? '' : 'token is required');
  if (has('site-admin')) expect('an ordinary user gets 403', stranger, [403]);
  if (has('owner') || has('repo-admin') || has('repo-write')) expect('a reader gets 403', stranger, [403]);
  if (has('org-owner')) expect('a stranger to the organization is refused', stranger, route.path.startsWith('/teams') ? [403, 404] : [403]);
  if (has('org-member')) expect('a non-member gets 403', stranger, [403]);
  if (has('team-member')) expect('a non-member gets 403 or 404', stranger, [403, 404]);
  if (has('self-or-admin')) expect('another user gets 403', stranger, [403]);
  if (has('basic')) expect('a token is refused', scoped.get('read:user'), [401, 403]);
  if (has('not-archived') && route.path.startsWith('RP')) {
    expect('an archived repository gets 423', owner, [423], '', fill(route.path, 'archived').replace('main...topic', 'main'));
  }
  if (route.scope && has('tok') && !has('basic')) {
    expect('a token without the scope gets 403', scoped.get('read:misc'), [403], 'does not have at least one of required scope');
  }
  if (route.method === 'GET' && !WITHOUT_RESPONSE.test(route.path)) {
    const actor = route.path.startsWith('/admin') ? session.admin : owner;
    result.push({ what: 'its administrator gets a response', actor, path, holds: ({ status }) => status >= 200 && status < 400 });
  }
  return result;
}
