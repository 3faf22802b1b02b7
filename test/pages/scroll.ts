/**
 * Measures how smoothly long pages scroll: `node test/pages/scroll.ts [lines]`. It makes a file and the log of a job of so many lines (50,000)
 * on a server of its own, scrolls them in Chromium, and prints for each the processor time of the longest task of the main thread, of
 * all tasks, and how many took more than 50 ms. A task of a page that scrolls is a frame. Processor time is the same on a busy machine.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { SimulatedRunner, startRun, workflow } from '../actions/simulated-runner.ts';
import { Browser as PlainBrowser } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const LINES = Number(process.argv[2] ?? 50_000);
/** A frame that takes longer is seen. */
const LONG_MS = 50;
const STEPS = 120;
const STEP_PIXELS = 1500;
const JUMPS = 20;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const t = await testServer();
const alice = await t.user('alice');
const { id } = await alice.must('POST', '/user/repos', { name: 'long', auto_init: true, default_branch: 'main' });
const numbers = Array.from({ length: LINES }, (_, index) => index + 1);
const source = numbers.map((at) => `  const a${at} = sum("n", ${at} + 2); // ${at}\n`).join('');
await alice.must('POST', '/repos/alice/long/contents/long.ts', { content: Buffer.from(source).toString('base64'), message: 'Add' });
const log = await madeLog();
await t.settled();

const browser = await launchChromium();
const page = await signedIn(browser);
await measured('file', 'alice/long/src/branch/main/long.ts', byWindow);
await measured('log', log, byLog);
await browser.close();

/** The path of a job whose step has the lines. */
async function madeLog(): Promise<string> {
  const runner = await SimulatedRunner.at(t, alice, '/repos/alice/long');
  const run = await startRun(t, id, workflow(['one']));
  const { id: taskId } = await runner.fetch();
  for (let at = 0; at < LINES; at += 5000) {
    const lines = numbers.slice(at, at + 5000).map((line) => `\u001b[32mok\u001b[0m ${line} - a test that says what it does`);
    await runner.log(taskId, at, lines, at + 5000 >= LINES);
  }
  const times = { startedAt: '2024-01-02T03:04:05Z', stoppedAt: '2024-01-02T03:05:05Z' };
  const step = (number: number, index: number, length: number) => ({
    id: `${number}`,
    result: 'RESULT_SUCCESS',
    logIndex: `${index}`,
    logLength: `${length}`,
    ...times,
  });
  await runner.report(taskId, { result: 'RESULT_SUCCESS', ...times, steps: [step(0, 0, LINES)] });
  const { jobs } = await alice.must('GET', `/repos/alice/long/actions/runs/${run.id}/jobs`);
  return `alice/long/actions/runs/${run.id}/jobs/${jobs[0].id}?step=0&line=1`;
}

async function signedIn(browser: Browser): Promise<Page> {
  const signedIn = new PlainBrowser(t.url);
  await signedIn.signIn('alice', PASSWORD);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([...signedIn.cookies].map(([name, value]) => ({ name, value, url: t.url })));
  return context.newPage();
}

async function measured(name: string, path: string, scroll: () => Promise<void>): Promise<void> {
  // To take the page before this one apart is not part of opening this one, however long it was.
  await page.goto('about:blank');
  report(`${name}: load`, await traced(async () => void (await page.goto(`${t.url}${path}`))));
  report(`${name}: scroll`, await traced(scroll));
  console.log(`${name}: ${await page.evaluate('document.querySelectorAll("*").length')} elements`);
}

/** By the wheel, then to far places. */
async function byWindow(): Promise<void> {
  await page.mouse.move(600, 500);
  for (let step = 0; step < STEPS; step++) await wheel();
  for (let jump = 1; jump <= JUMPS; jump++)
    await frame(`scrollTo(0, document.documentElement.scrollHeight * ${((jump * 7) % JUMPS) / JUMPS})`);
}

/** Down through a log, whose later lines come as a link to them is pressed. */
async function byLog(): Promise<void> {
  for (let part = 0; part < LINES / 500 - 1; part++) {
    const before = await nextLine();
    await frame(
      'const log = document.querySelector(".log"); log.scrollTop = log.scrollHeight; log.lastElementChild.querySelector("a").click()',
    );
    while ((await nextLine()) === before) await frame('0');
  }
  for (let jump = 1; jump <= JUMPS; jump++)
    await frame(`const log = document.querySelector(".log"); log.scrollTop = log.scrollHeight * ${((jump * 7) % JUMPS) / JUMPS}`);
}

/** A locator would search all lines of the log for a second one, in the thread that is measured. */
function nextLine(): Promise<unknown> {
  return page.evaluate('document.querySelector(".log").dataset.next');
}

async function wheel(): Promise<void> {
  await page.mouse.wheel(0, STEP_PIXELS);
  await frame('0');
}

/** Runs a script, and waits until what it changed has been painted. */
async function frame(script: string): Promise<void> {
  await page.evaluate(`new Promise((done) => { ${script}; requestAnimationFrame(() => requestAnimationFrame(done)); })`);
}

/** The milliseconds of processor time of each task of the main thread of the page. */
async function traced(act: () => Promise<void>): Promise<number[]> {
  const path = `${t.folder}/trace.json`;
  await browser.startTracing(page, { path, categories: ['toplevel', 'devtools.timeline', '__metadata'] });
  await act();
  await browser.stopTracing();
  const { traceEvents } = JSON.parse(await readFile(path, 'utf8')) as { traceEvents: TraceEvent[] };
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const threads = new Set(traceEvents.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  return traceEvents
    .filter(({ name, ph, pid, tid }) => ph === 'X' && name === 'ThreadControllerImpl::RunTask' && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
}

function report(name: string, tasks: readonly number[]): void {
  const longest = Math.max(0, ...tasks).toFixed(0);
  const all = tasks.reduce((sum, task) => sum + task, 0).toFixed(0);
  const long = tasks.filter((task) => task > LONG_MS);
  console.log(
    `${name}: longest ${longest} ms, all ${all} ms, ${long.length} over ${LONG_MS} ms: ${long.map((task) => task.toFixed(0)).join(' ')}`,
  );
}
