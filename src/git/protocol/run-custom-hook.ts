import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { gitEnvironment } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';
import { CUSTOM_HOOKS_FOLDER, type CustomHook } from './custom-hooks.ts';

/** How a hook is run. */
export interface HookRun {
  args?: readonly string[];
  /** Its standard input. */
  input?: string;
  env: Readonly<Record<string, string>>;
  timeoutMs?: number;
}

/** The output of a hook, and whether it accepts. */
export interface HookOutcome {
  ok: boolean;
  text: string;
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT = 1024 * 1024;

/**
 * Runs a repository's custom hook for refs that git does not move by itself, as git would: in the repository, with git's
 * environment. A hook that cannot be run, takes too long or writes too much counts as a refusal.
 */
export function runCustomHook(repository: GitRepository, hook: CustomHook, run: HookRun): Promise<HookOutcome> {
  const { args = [], input = '', env, timeoutMs = TIMEOUT_MS } = run;
  const options = {
    cwd: repository.path,
    env: gitEnvironment({ ...env, GIT_DIR: '.' }),
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT,
  } as const;
  return new Promise((resolve) => {
    const child = execFile(join(repository.path, CUSTOM_HOOKS_FOLDER, hook), args, options, (error, stdout, stderr) => {
      const text = stdout + stderr;
      if (!error) resolve({ ok: true, text });
      else resolve({ ok: false, text: text.trim() === '' ? `the hook ${hook} declined` : text });
    });
    // A hook need not read its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
