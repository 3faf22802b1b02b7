import { parseArgs } from 'node:util';
import { Browser } from '../support/browser.ts';
import { Actor, type RequestOptions, type Response } from './harness/actor.ts';
import { loadScenario, scenarioNames } from './harness/scenarios.ts';
import { Session } from './harness/session.ts';

/*
 * `check-urls.ts --url URL --admin NAME:PASSWORD [words of area/name…]`: plays the recorded scenarios against a running server, and opens each
 * address of the server that a response names, signed in as the administrator, at once, since what it names may be removed by the next step.
 * Fails for those that do not open, and lists them by what of the response named them.
 */
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, admin: { type: 'string' }, jobs: { type: 'string', default: '4' } },
});
const { url, admin } = flags;
if (!url || !admin) throw new Error('usage: check-urls.ts --url http://127.0.0.1:3000 --admin NAME:PASSWORD [words…]');
const base = url.replace(/\/$/, '');
const colon = admin.indexOf(':');

/** Addresses for programs: the API, the registries, and git over HTTP. */
const FOR_PROGRAMS = /^\/(api|v2)\/|\.git(\/|$)/;
/** Users that are not there: who stands for deleted ones, and for runs of workflows. */
const NOBODY = /^\/(Ghost|gitea-actions)$/;
/** What is not there while a release is a draft, and of a file that was removed. */
const ARCHIVES = new Set(['tarball_url', 'zipball_url']);
const OF_FILES = new Set(['html_url', 'raw_url', 'contents_url']);
const MAX_REDIRECTS = 5;
const MAX_SHOWN = 3;

const opened = new Map<string, Promise<void>>();
const failures = new Map<string, string[]>();

const browser = new Browser(`${base}/`);
await browser.signIn(admin.slice(0, colon), admin.slice(colon + 1));

const send = Actor.prototype.send;
Actor.prototype.send = async function sendAndOpen(method: string, path: string, options?: RequestOptions): Promise<Response> {
  const response = await send.call(this, method, path, options);
  if (response.status < 300 && method !== 'DELETE') {
    await Promise.all([...addressesIn(response.json)].map(([address, field]) => openOnce(address, `${method} ${shapeOf(path)} ${field}`)));
  }
  return response;
};

const names = (await scenarioNames()).filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
const scenarios = await Promise.all(names.map(loadScenario));
// All jobs take from one iterator, so that each scenario is played once.
const together = scenarios.filter(({ isAlone }) => !isAlone).values();
await Promise.all(Array.from({ length: Number(flags.jobs) }, () => playAll(together)));
await playAll(scenarios.filter(({ isAlone }) => isAlone).values());
report();

async function playAll(waiting: Iterable<{ readonly play: (session: Session) => Promise<void> }>): Promise<void> {
  for (const { play } of waiting) {
    const session = await Session.open(base, `${admin}`);
    // What a scenario asserts is the conformance run's concern.
    await play(session).catch(() => {});
    await session.close();
  }
}

/** The addresses of the server in fields of URLs, with the name of the field. */
function* addressesIn(value: unknown, field = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const item of value) yield* addressesIn(item, field);
  else if (typeof value === 'object' && value !== null) {
    const absent =
      'draft' in value && value.draft === true ? ARCHIVES : 'status' in value && value.status === 'deleted' ? OF_FILES : undefined;
    for (const [name, item] of Object.entries(value)) if (!absent?.has(name)) yield* addressesIn(item, name);
  } else if (typeof value === 'string' && /url$|^href$/.test(field) && value.startsWith(`${base}/`)) {
    const address = value.slice(base.length);
    if (!FOR_PROGRAMS.test(address.replace(/[?#].*/, '')) && !NOBODY.test(address)) yield [address, field];
  }
}

function openOnce(address: string, source: string): Promise<void> {
  const known = opened.get(address);
  if (known) return known;
  const opening = open(address, source);
  opened.set(address, opening);
  return opening;
}

async function open(address: string, source: string): Promise<void> {
  let next = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { status, location } = await browser.get(next.replace(/#.*/, ''));
    if (status < 300) return;
    if (status === 404 && (await isOff(address))) return;
    if (status >= 400) return fail(source, `${status} ${address}`);
    // It leads away from the server.
    if (!location.startsWith('/')) return;
    next = location;
  }
  fail(source, `too many redirects ${address}`);
}

/** Whether the repository does not show what the address is of: issues and pull requests are numbered and named together. */
async function isOff(address: string): Promise<boolean> {
  const [, owner, name, page = ''] = address.split('/');
  const unit = { issues: 'has_issues', pulls: 'has_pull_requests', raw: 'has_code', src: 'has_code' }[page];
  if (unit === undefined) return false;
  const authorization = `Basic ${Buffer.from(`${admin}`).toString('base64')}`;
  const response = await fetch(`${base}/api/v1/repos/${owner}/${name}`, { headers: { authorization } });
  return response.ok && ((await response.json()) as Record<string, unknown>)[unit] === false;
}

function fail(source: string, what: string): void {
  console.log(`✗ ${what} of ${source}`);
  failures.set(source, [...(failures.get(source) ?? []), what]);
}

/** A path without what differs between runs and repositories. */
function shapeOf(path: string): string {
  return path
    .replace(/\?.*/, '')
    .replace(/[0-9a-f]{40}/g, 'SHA')
    .replace(/\/[^/]*-r[0-9a-f]{6}[^/]*/g, '/NAME')
    .replace(/\/\d+/g, '/N');
}

function report(): void {
  for (const [source, lines] of [...failures].sort()) {
    console.log(`✗ ${source}: ${lines.length}`);
    for (const line of lines.slice(0, MAX_SHOWN)) console.log(`    ${line}`);
  }
  const failed = [...failures.values()].flat().length;
  console.log(`${opened.size} addresses opened, ${failed} failed`);
  process.exitCode = failed > 0 || opened.size === 0 ? 1 : 0;
}
