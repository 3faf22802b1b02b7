import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/*
 * What bench/event-loop.ts puts on its server, in a process of its own, so that it does not hold up who measures: eight clients that
 * render Markdown, one that compares many files, three issues where many watch, and a large push. Ends when the push is through
 * and each has had its turn at least twice.
 */

const { LOAD_URL: url = '', LOAD_TOKEN: token = '', LOAD_MARKDOWN_BYTES: size = '', LOAD_PUSH_FOLDER: folder = '' } = process.env;
const PARAGRAPH = '## Heading\n\nSome *text* with [a link](https://example.com/), @root, #1 and `code`.\n\n- [x] done\n- item\n\n';
const CLIENTS = 8;
const MIN_ROUNDS = 2;

const text = PARAGRAPH.repeat(Math.ceil(Number(size) / PARAGRAPH.length)).slice(0, Number(size));
const counts: Record<string, number> = {};
let pushed = false;

async function request(name: string, method: string, path: string, body?: unknown): Promise<void> {
  const response = await fetch(`${url}api/v1${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  const outcome = response.ok ? name : `${name} ${response.status} ${answer.slice(0, 80)}`;
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

async function again(work: () => Promise<void>): Promise<void> {
  for (let round = 0; round < MIN_ROUNDS || !pushed; round++) await work();
}

const push = async () => {
  const start = performance.now();
  await promisify(execFile)(
    'git',
    ['push', '--quiet', `${url.replace('://', `://root:${token}@`)}root/large.git`, 'HEAD:refs/heads/main'],
    { cwd: folder },
  );
  counts[`push, ${Math.round(performance.now() - start)} ms`] = 1;
  pushed = true;
};

await Promise.all([
  ...Array.from({ length: CLIENTS }, () =>
    again(() => request('markdown', 'POST', '/markdown', { Text: text, Mode: 'comment', Context: 'root/files' })),
  ),
  again(() => request('compare', 'GET', `/repos/root/files/compare/main...changed`)),
  ...[1, 2, 3].map(async (round) => {
    await setTimeout(round * 2000);
    await request('issue', 'POST', '/repos/root/files/issues', { title: 'Many watch', body: 'Hello, @root' });
  }),
  push(),
]);
process.stdout.write(JSON.stringify(counts));
