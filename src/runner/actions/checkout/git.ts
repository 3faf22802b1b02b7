import { trimEnd } from '../../../text/trim-end.ts';
import type { Job } from '../../job/job.ts';
import { textAt } from '../../plain.ts';
import { messageOf, RunnerProblem } from '../../problem.ts';
import { gitEnvironment } from '../git.ts';

/** For what Git is called. */
export interface CheckoutGitOptions {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly folder: string;
  /** Empty to sign in nowhere. */
  readonly token: string;
}

const MAX_LINES = 10_000;

/** Git as `actions/checkout` runs it: where the steps of the job run, since those may have changed what it works on. */
export class CheckoutGit {
  readonly #job: Job;
  readonly #options: CheckoutGitOptions;
  /** The instance as jobs know it, without a slash at the end. */
  readonly serverUrl: string;

  constructor(job: Job, options: CheckoutGitOptions) {
    this.#job = job;
    this.#options = options;
    this.serverUrl = trimEnd(textAt(job.github, 'server_url'), '/');
  }

  /** The URL of a repository of the instance. */
  urlOf(repository: string): string {
    return `${this.serverUrl}/${repository}`;
  }

  /**
   * Runs Git in the folder; returns what it printed.
   * @throws RunnerProblem with the last line where it fails
   */
  async run(args: readonly string[]): Promise<string> {
    const { folder, signal, token, env } = this.#options;
    const job = this.#job;
    const lines: string[] = [];
    const credentials = token === '' ? undefined : { origin: new URL(this.serverUrl).origin, token };
    const { HOME: _, ...passed } = job.runner.environment;
    const all = {
      PATH: env.PATH ?? job.executor.path,
      ...passed,
      LANG: 'C',
      ...gitEnvironment(job.folders.home, credentials),
      // Large files come by `git lfs pull`, if at all.
      GIT_LFS_SKIP_SMUDGE: '1',
    };
    const onLine = (line: string) => void (lines.length < MAX_LINES && lines.push(line));
    const code = await job.executor.run({ argv: ['git', ...args], cwd: folder, env: all, signal, onLine }).catch((error: unknown) => {
      throw new RunnerProblem(`git cannot be run: ${messageOf(error)}`);
    });
    const text = lines.join('\n').trim();
    if (code !== 0) throw new RunnerProblem(`git ${args[0]}: ${text.split('\n').at(-1) || `exit code ${code}`}`);
    return text;
  }
}
