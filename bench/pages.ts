import { Browser } from '../test/support/browser.ts';
import { apiOf } from './call-api.ts';
import { processorTimeOf } from './processor-time.ts';
import { seedPages } from './seed-pages.ts';
import { BROWSER_ENCODINGS, transferred } from './transferred.ts';

/**
 * `node bench/pages.ts PID URL NAME:PASSWORD [words of pages…]`: the milliseconds of processor time that pages take, beside those of the calls of
 * the API that have the same content, and the bytes of a first visit and of the page alone, compressed as for browsers. A repository of
 * 5,000 commits is made where it is missing. Linux alone (`/proc`, whose times count hundredths of a second).
 */
const [pid = '', url = '', account = '', ...words] = process.argv.slice(2);
if (!/^\d+$/.test(pid) || !URL.canParse(url) || !account.includes(':'))
  throw new Error('usage: node bench/pages.ts PID URL NAME:PASSWORD [words of pages…]');

const NAME = 'bench-pages';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Of a round: times are counted in hundredths of a second. */
const REQUESTS = Number(process.env.REQUESTS ?? 100);
/** V8 optimizes what ran often. */
const WARM_UP = 60;
const [owner = '', password = ''] = account.split(':');
const authorization = `Basic ${Buffer.from(account).toString('base64')}`;
const { sha1: token } = await apiOf(url, authorization)<{ sha1: string }>('POST', `/users/${owner}/tokens`, {
  name: `bench-${Date.now()}`,
  scopes: ['all'],
});
const call = apiOf(url, `token ${token}`);

const repository = `repos/${owner}/${NAME}`;
const isThere = await fetch(new URL(`/api/v1/${repository}`, url), { headers: { authorization } });
if (!isThere.ok) {
  const remote = new URL(`/${owner}/${NAME}.git`, url);
  [remote.username, remote.password] = [owner, password];
  await seedPages(call, owner, NAME, remote.href);
}
const [pull] = await call<{ number: number; head: { sha: string } }[]>('GET', `/${repository}/pulls`);
if (!pull) throw new Error('the pull request is missing');

interface Measured {
  readonly name: string;
  readonly page: string;
  /** The calls of a program that shows the same. */
  readonly calls: readonly string[];
}

const own = `${owner}/${NAME}`;
const FILE = 'src/part1/file1.js';
const PAGES: readonly Measured[] = [
  {
    name: 'repository home',
    page: own,
    calls: [
      '',
      '/contents-ext?includes=commit_metadata,commit_message',
      '/contents/README.md',
      '/branches',
      '/tags',
      '/languages',
      '/releases/latest?',
    ],
  },
  {
    name: 'file',
    page: `${own}/src/branch/main/${FILE}`,
    calls: ['', `/contents/${FILE}`, '/branches', '/tags', `/commits?path=${FILE}&limit=1`],
  },
  {
    name: 'issue',
    page: `${own}/issues/1`,
    calls: [
      '',
      '/issues/1',
      '/issues/1/timeline',
      '/labels',
      '/assignees',
      '/milestones',
      '/issues/1/reactions',
      '/issues/1/subscriptions/check',
    ],
  },
  { name: 'list of issues', page: `${own}/issues`, calls: ['', '/issues?type=issues&limit=20', '/labels', '/milestones', '/assignees'] },
  {
    name: 'pull request',
    page: `${own}/pulls/${pull.number}`,
    calls: [
      '',
      `/pulls/${pull.number}`,
      `/issues/${pull.number}/timeline`,
      `/pulls/${pull.number}/reviews`,
      `/commits/${pull.head.sha}/status`,
      '/labels',
      '/assignees',
      '/milestones',
    ],
  },
  {
    name: 'its files',
    page: `${own}/pulls/${pull.number}/files`,
    calls: ['', `/pulls/${pull.number}`, `/pulls/${pull.number}.diff`, `/pulls/${pull.number}/files`, `/pulls/${pull.number}/reviews`],
  },
  {
    name: 'commit',
    page: `${own}/commit/${pull.head.sha}`,
    calls: ['', `/git/commits/${pull.head.sha}`, `/git/commits/${pull.head.sha}.diff`],
  },
  { name: 'commits', page: `${own}/commits/branch/main`, calls: ['', '/commits?limit=30&stat=false&files=false', '/branches', '/tags'] },
  { name: 'home', page: '', calls: [] },
  { name: 'exploring', page: 'explore/repos', calls: [] },
];

const browser = new Browser(url);
await browser.signIn(owner, password);
const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

async function ask(path: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(new URL(path, url), { headers });
  await response.arrayBuffer();
  if (!response.ok && response.status !== 404) throw new Error(`${path} answered ${response.status}`);
}

const showPage = ({ page }: Measured) => ask(page, { cookie, accept: 'text/html', 'accept-encoding': BROWSER_ENCODINGS });
const makeCalls = async ({ calls }: Measured) => {
  for (const path of calls) await ask(`/api/v1/${repository}${path}`, { authorization: `token ${token}` });
};

/** The lowest round counts: what else the machine does makes caches cold, and no round cheaper. */
async function measure(work: () => Promise<void>): Promise<number> {
  for (let request = 0; request < WARM_UP; request++) await work();
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = processorTimeOf([pid]);
    for (let request = 0; request < REQUESTS; request++) await work();
    rounds.push((processorTimeOf([pid]) - before) / REQUESTS);
  }
  return Math.min(...rounds);
}

console.log('| page | ms | its calls of the API, ms | ratio | first visit, kB | further, kB |\n|---|---|---|---|---|---|');
for (const measured of PAGES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))) {
  const page = await measure(() => showPage(measured));
  const calls = measured.calls.length > 0 ? await measure(() => makeCalls(measured)) : undefined;
  const { first, further } = await transferred(new URL(measured.page, url), cookie);
  const ratio = calls === undefined ? '' : (page / calls).toFixed(2);
  const size = (bytes: number) => (bytes / 1000).toFixed(1);
  console.log(`| ${measured.name} | ${page.toFixed(2)} | ${calls?.toFixed(2) ?? ''} | ${ratio} | ${size(first)} | ${size(further)} |`);
}
