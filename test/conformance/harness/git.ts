import { execFile } from 'node:child_process';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1 << 28;
/** Lines of the server, without progress, and refs that it rejected. */
const REMOTE_LINE = /^(remote: *(?!error: *$|\S* ?Process(ing|ed) \d|\S* ?Check(ing|ed) \d|Resolving deltas)\S|! \[)/;

/** What a git command did. */
export interface GitResult {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
  /** What the server said, and the refs that it rejected. */
  readonly told: string[];
}

/** Runs git as a fixed author on a fixed date, so that object ids repeat. Never rejects. */
export function runGit(args: readonly string[], cwd: string, home: string, date = '2024-01-02T03:04:05+00:00'): Promise<GitResult> {
  const env = {
    ...process.env,
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    HOME: home,
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: 'Corpus',
    GIT_AUTHOR_EMAIL: 'corpus@example.com',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Corpus',
    GIT_COMMITTER_EMAIL: 'corpus@example.com',
    GIT_COMMITTER_DATE: date,
  };
  const options = { cwd, env, maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS };
  const all = ['-c', 'init.defaultBranch=main', '-c', 'protocol.version=2', ...args];
  return new Promise((resolve) => {
    execFile('git', all, options, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr, told: remoteLines(stderr) });
    });
  });
}

function remoteLines(stderr: string): string[] {
  return stderr
    .split('\n')
    .map((line) => line.replace(/\x1b\[K/g, '').trim())
    .filter((line) => REMOTE_LINE.test(line))
    .map((line) => line.replace(/^remote: +/, 'remote: ').replace(/\s+/g, ' '));
}
