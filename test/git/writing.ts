import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepository } from '../../src/git/create.ts';
import type { Signature } from '../../src/git/objects/format-identity.ts';
import { gitEnvironment } from '../../src/git/processes/process.ts';
import type { GitRepository, ObjectFormat } from '../../src/git/repository.ts';

/** A person and a moment for commits whose ids must not change from run to run. */
export const ALICE: Signature = { name: 'Alice', email: 'alice@example.com', seconds: 1_704_110_400, offset: 0 };

const folders: string[] = [];

process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A temporary folder that goes when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copse-git-'));
  folders.push(folder);
  return folder;
}

/** An empty bare repository. */
export async function emptyRepository(objectFormat: ObjectFormat = 'sha1'): Promise<GitRepository> {
  return await createRepository(join(temporaryFolder(), 'repository.git'), { objectFormat, defaultBranch: 'main' });
}

/** The environment in which Alice runs git. Nothing is done by itself afterwards, while a test goes on. */
export function clientEnvironment(): Record<string, string> {
  const identity = (role: string) => ({
    [`GIT_${role}_NAME`]: ALICE.name,
    [`GIT_${role}_EMAIL`]: ALICE.email,
    [`GIT_${role}_DATE`]: `${ALICE.seconds} +0000`,
  });
  const maintenance = { GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_1: 'maintenance.auto', GIT_CONFIG_VALUE_1: 'false' };
  return gitEnvironment({ ...identity('AUTHOR'), ...identity('COMMITTER'), ...maintenance });
}

/** Runs the git program in a repository or work tree; returns what it wrote, without the last line end. */
export function git(at: GitRepository | string, args: readonly string[], input?: string | Uint8Array): string {
  const cwd = typeof at === 'string' ? at : at.path;
  return execFileSync('git', args, {
    cwd,
    env: clientEnvironment(),
    input: input ?? '',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  })
    .toString()
    .replace(/\n$/, '');
}

/** Every file of a revision: `mode path` → content. */
export function filesOf(repository: GitRepository, revision: string): Record<string, string> {
  const lines = git(repository, ['ls-tree', '-r', '-z', revision]).split('\0').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [, mode, type, oid, path] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line) ?? [];
      return [`${mode} ${path}`, type === 'blob' ? git(repository, ['cat-file', 'blob', oid ?? '']) : `${type} ${oid}`];
    }),
  );
}

/** Throws unless every object and ref of the repository is sound. */
export function requireSound(repository: GitRepository): void {
  git(repository, ['fsck', '--full', '--strict', '--no-dangling']);
}

/** What a git client that ran beside the test's own server said. */
export interface ClientResult {
  code: number | null;
  stderr: string;
}

/** Runs a git client without blocking the test's own server. */
export async function client(cwd: string, args: readonly string[]): Promise<ClientResult> {
  const child = spawn('git', args, { cwd, env: clientEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

/** A work tree with one commit on `main`, whose remote `origin` is `url`. */
export function workTree(url: string, objectFormat: ObjectFormat = 'sha1'): string {
  const folder = temporaryFolder();
  git(folder, ['init', '-q', '-b', 'main', `--object-format=${objectFormat}`]);
  git(folder, ['remote', 'add', 'origin', url]);
  commitFile(folder, 'README.md', 'hello\n');
  return folder;
}

/** Commits one file in a work tree; returns the commit's id. */
export function commitFile(folder: string, path: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, path), content);
  git(folder, ['add', '.']);
  git(folder, ['commit', '-qm', `Add ${path}`]);
  return git(folder, ['rev-parse', 'HEAD']);
}
