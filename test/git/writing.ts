import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepository } from '../../src/git/create.ts';
import type { Signature } from '../../src/git/format-identity.ts';
import { gitEnvironment } from '../../src/git/process.ts';
import type { GitRepository, ObjectFormat } from '../../src/git/repository.ts';

/** A person and a moment for commits whose ids must not change from run to run. */
export const ALICE: Signature = { name: 'Alice', email: 'alice@example.com', seconds: 1_704_110_400, offset: 0 };

/** A temporary folder that goes when the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copse-git-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty bare repository. */
export async function emptyRepository(objectFormat: ObjectFormat = 'sha1'): Promise<GitRepository> {
  return await createRepository(join(temporaryFolder(), 'repository.git'), { objectFormat, defaultBranch: 'main' });
}

/** Runs the git program in a repository or work tree; answers what it wrote, without the last line end. */
export function git(at: GitRepository | string, args: readonly string[], input?: string | Uint8Array): string {
  const cwd = typeof at === 'string' ? at : at.path;
  const identity = (role: string) => ({
    [`GIT_${role}_NAME`]: ALICE.name,
    [`GIT_${role}_EMAIL`]: ALICE.email,
    [`GIT_${role}_DATE`]: `${ALICE.seconds} +0000`,
  });
  const env = gitEnvironment({ ...identity('AUTHOR'), ...identity('COMMITTER') });
  return execFileSync('git', args, { cwd, env, input: input ?? '', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
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
