import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/*
 * What bench/event-loop.ts puts on its server, in a process of its own, so that it does not hold up who measures: eight clients that
 * render Markdown, one that compares many files, one that opens issues where many watch, and a large push. Ends when the push is through
 * and each client has made some requests. Prints for each kind of request and status how many there were, how long they took, and how
 * large their responses were.
 */

const { LOAD_URL: url = '', LOAD_TOKEN: token = '', LOAD_MARKDOWN_BYTES: size = '', LOAD_PUSH_FOLDER: folder = '' } = process.env;
const PARAGRAPH = '## Heading\n\nSome *text* with [a link](https://example.com/), @root, #1 and `code`.\n\n- [x] done\n- item\n\n';
const CLIENTS = 8;
const MIN_ROUNDS = 2;
/** Milliseconds from an issue to the next: nobody opens them faster where thousands watch. */
const ISSUE_PAUSE = 2000;

interface Outcome {
  readonly times: number[];
  bytes: number;
}

const outcomes = new Map<string, Outcome>();
let pushed = false;

function count(name: string, ms: number, bytes: number): void {
  const outcome = outcomes.get(name) ?? { times: [], bytes: 0 };
  outcomes.set(name, outcome);
  outcome.times.push(ms);
  outcome.bytes += bytes;
}

async function request(name: string, method: string, path: string, body?: unknown): Promise<void> {
  const start = performance.now();
  const response = await fetch(`${url}api/v1${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const reason = response.ok ? '' : ` ${text.slice(0, 80).trim()}`;
  count(`${name} ${response.status}${reason}`, performance.now() - start, text.length);
}

async function again(work: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < MIN_ROUNDS || !pushed; round++) await work(round);
}

async function push(): Promise<void> {
  const start = performance.now();
  const remote = `${url.replace('://', `://root:${token}@`)}root/large.git`;
  await promisify(execFile)('git', ['push', '--quiet', remote, 'HEAD:refs/heads/main'], { cwd: folder });
  count('push', performance.now() - start, 0);
  pushed = true;
}

const markdown = PARAGRAPH.repeat(Math.ceil(Number(size) / PARAGRAPH.length)).slice(0, Number(size));

await Promise.all([
  ...Array.from({ length: CLIENTS }, (_, client) =>
    again((round) => {
      // Each text is another one, so that none is known from before.
      const text = `${client} ${round}\n\n${markdown}`;
      return request('markdown', 'POST', '/markdown', { Text: text, Mode: 'comment', Context: 'root/files' });
    }),
  ),
  again(() => request('compare', 'GET', '/repos/root/files/compare/main...changed')),
  again(async (round) => {
    await setTimeout(ISSUE_PAUSE);
    await request('issue', 'POST', '/repos/root/files/issues', { title: `Many watch ${round}`, body: 'Hello, @root' });
  }),
  push(),
]);

for (const [name, { times, bytes }] of [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const average = Math.round(bytes / sorted.length / 1024);
  process.stdout.write(`  ${name}: ${sorted.length}, p50 ${at(0.5)}, max ${at(1)} ms, ${average} KiB each\n`);
}
