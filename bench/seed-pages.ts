import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallApi } from './call-api.ts';

/** How large the repository is that pages are measured with. */
const COMMITS = 5000;
const FILES = 300;
const ISSUES = 60;
const COMMENTS = 20;
/** Files that the pull request changes. */
const CHANGED = 12;

/**
 * Makes a repository with thousands of commits, issues, a conversation and a pull request.
 * @param remote where git pushes to, with the credentials
 */
export async function seedPages(call: CallApi, owner: string, name: string, remote: string): Promise<void> {
  await call('POST', '/user/repos', { name, description: 'What pages are measured with', default_branch: 'main' });
  const folder = await mkdtemp(join(tmpdir(), 'copse-bench-'));
  try {
    await git(folder, ['init', '-q', '-b', 'main']);
    await git(folder, ['fast-import', '--quiet'], history());
    await git(folder, ['push', '-q', remote, 'main', 'change']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const path = `repos/${owner}/${name}`;
  const labels: unknown[] = [];
  for (const label of ['bug', 'feature', 'urgent'])
    labels.push((await call('POST', `/${path}/labels`, { name: label, color: '#b60205' })).id);
  const { id: milestone } = await call('POST', `/${path}/milestones`, { title: '1.0' });
  for (let number = 1; number <= ISSUES; number++) {
    const more = {
      labels: labels.slice(0, number % 4),
      assignees: number % 3 === 0 ? [owner] : [],
      ...(number % 5 === 0 && { milestone }),
    };
    await call('POST', `/${path}/issues`, { title: `Problem ${number} of many`, body: text(number), ...more });
  }
  for (let at = 0; at < COMMENTS; at++) await call('POST', `/${path}/issues/1/comments`, { body: text(at) });
  await call('POST', `/${path}/pulls`, { title: 'Change many files', body: text(0), head: 'change', base: 'main' });
}

function text(number: number): string {
  return `It **fails** since #${(number % 5) + 1}:\n\n- first \`step ${number}\`\n- [ ] second\n\n\`\`\`js\nconst answer = ${number};\n\`\`\`\n`;
}

/** A history in the format of git fast-import: main, and a branch with one more commit. */
function* history(): Generator<string> {
  const commit = (branch: string, at: number, changes: string, from = '') =>
    `commit refs/heads/${branch}\ncommitter Bench <bench@example.com> ${1_600_000_000 + at * 600} +0000\ndata <<END\nChange number ${at}\nEND\n${from}${changes}`;
  const file = (path: string, content: string) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  for (let at = 0; at < COMMITS; at++) {
    const number = at % FILES;
    const changes = file(`src/part${number % 10}/file${number}.js`, program(number, at));
    yield commit('main', at, at === 0 ? file('README.md', `# Bench\n\n${text(1)}`) + changes : changes);
  }
  const changed = Array.from({ length: CHANGED }, (_, at) => file(`src/part${at % 10}/file${at}.js`, program(at, COMMITS + at)));
  yield commit('change', COMMITS, changed.join(''), 'from refs/heads/main\n');
}

function program(number: number, version: number): string {
  const lines = Array.from({ length: 60 }, (_, line) =>
    line % 6 === 0
      ? `export function step${line}(value) {`
      : line % 6 === 5
        ? '}'
        : `  value += ${line === 20 || line === 41 ? version : number}; // line ${line}`,
  );
  return `${lines.join('\n')}\n`;
}

async function git(folder: string, args: string[], input?: Iterable<string>): Promise<void> {
  const run = spawn('git', args, { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] });
  const over = once(run, 'exit');
  for (const part of input ?? []) if (!run.stdin.write(part)) await once(run.stdin, 'drain');
  run.stdin.end();
  const [code] = await over;
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}`);
}
