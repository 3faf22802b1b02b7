import { execFile } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Entry } from './entry.ts';

/** What of the repository is delivered. */
const DELIVERED = ['bin', 'src', 'docs', 'ops', 'CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'SECURITY.md'];
/** Commands that only make files of the repository. */
const DEVELOPMENT = /^src\/(?:settings\/document|git\/import-linguist|instance\/templates\/import-gitignores|markup\/import-icons)\.ts$/;
/** How far a time goes back for archives of a source that has no history. */
const NO_HISTORY = new Date('2000-01-01T00:00:00Z');

const run = promisify(execFile);

/** The program, ready to run, and the time of what it was made from. */
export interface Program {
  readonly entries: readonly Entry[];
  readonly time: Date;
}

/**
 * The files of the last commit, or of the folder where it has no history, as in the build of a container.
 * @throws Error when files have been changed since that commit
 */
export async function readProgram(root: string): Promise<Program> {
  const paths = await listFiles(root);
  return {
    entries: paths.files.filter((path) => !DEVELOPMENT.test(path)).map((path) => toEntry(root, path)),
    time: paths.time,
  };
}

async function listFiles(root: string): Promise<{ files: string[]; time: Date }> {
  // A file or a folder: worktrees have a file.
  if (!globSync('.git', { cwd: root }).length) {
    const found = DELIVERED.flatMap((name) => [name, ...globSync(`${name}/**`, { cwd: root })]);
    return { files: found.filter((path) => statSync(join(root, path)).isFile()), time: NO_HISTORY };
  }
  const git = async (...args: string[]) => (await run('git', ['-C', root, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  const changed = await git('status', '--porcelain', '--', ...DELIVERED);
  if (changed) throw new Error(`these files are not committed, so the package would be of no commit:\n${changed}`);
  const files = (await git('ls-files', '-z', '--', ...DELIVERED)).split('\0').filter((path) => path !== '');
  return { files, time: new Date(Number(await git('log', '-1', '--format=%ct')) * 1000) };
}

function toEntry(root: string, path: string): Entry {
  const file = join(root, path);
  const isExecutable = (statSync(file).mode & 0o100) !== 0;
  if (!path.endsWith('.ts')) return { path, content: readFileSync(file), isExecutable };
  return { path: `${path.slice(0, -3)}.js`, content: Buffer.from(toJavaScript(readFileSync(file, 'utf8'))), isExecutable };
}

/**
 * TypeScript without its types, which refers to the other files by their new names. Node strips types by itself, but not in packages that
 * are installed. Lines and columns stay, so that errors lead to the source.
 */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source).replace(/'(\.{1,2}\/[^'\n]*)\.ts'/g, "'$1.js'");
}
