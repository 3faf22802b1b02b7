import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withMutex } from '../../git/mutex.ts';
import { messageOf, RunnerProblem } from '../problem.ts';
import { type GitCredentials, git } from './git.ts';
import { parseUse, type RemoteUse } from './uses.ts';

/** Where a job gets its actions from. */
export interface SourceOptions {
  /** Where repositories are kept for the next jobs. */
  readonly cache: string;
  /** The folder of this job's actions. */
  readonly folder: string;
  readonly home: string;
  /** The server of actions that are named without one. */
  readonly defaultUrl: string;
  /** The URL of the instance as jobs know it, and as this runner reaches it. */
  readonly serverUrl: string;
  readonly instanceUrl: string;
  /** The repository of the job, whose token also reads repositories shared with it. */
  readonly repository: string;
  readonly token: string;
  readonly warn: (line: string) => void;
  readonly signal: () => AbortSignal;
}

/** A repository at a commit, in a folder of the job. */
export interface FetchedRepository extends RemoteUse {
  readonly folder: string;
}

const TIMEOUT_MS = 5 * 60_000;
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Fetches the repositories of actions and of workflows that are called, once for a job. */
export class ActionSource {
  readonly #options: SourceOptions;
  readonly #found = new Map<string, Promise<FetchedRepository>>();

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /**
   * A repository by `uses`. One that cannot be reached is taken from what an earlier job left.
   * @throws RunnerProblem
   */
  get(uses: string): Promise<FetchedRepository> {
    const use = parseUse(uses, this.#options.defaultUrl);
    const key = `${use.url}@${use.ref}`;
    const found = this.#found.get(key) ?? this.#fetch(use);
    this.#found.set(key, found);
    return found.then((repository) => ({ ...repository, path: use.path }));
  }

  /** The credentials for the instance: the job's token reads its own repository, and those that are public or shared with it. */
  #credentials(use: RemoteUse, url: string): GitCredentials | undefined {
    const { serverUrl, token } = this.#options;
    return use.url.toLowerCase().startsWith(`${serverUrl}/`.toLowerCase()) ? { origin: new URL(url).origin, token } : undefined;
  }

  async #fetch(use: RemoteUse): Promise<FetchedRepository> {
    const { cache, folder, serverUrl, instanceUrl, repository } = this.#options;
    const url = use.url.startsWith(`${serverUrl}/`) ? instanceUrl + use.url.slice(serverUrl.length) : use.url;
    const credentials = this.#credentials(use, url);
    // Actions that only this repository's jobs may read are not cached for others.
    const bare = join(cache, `${digest(`${use.url}\n${credentials ? repository : ''}`)}.git`);
    const ref = `refs/copse/${digest(use.ref)}`;
    const target = join(folder, digest(`${use.url}@${use.ref}`));
    await withMutex(bare, async () => {
      await mkdir(bare, { recursive: true, mode: 0o700 });
      await this.#git(bare, ['init', '--quiet', '--bare', '.']);
      await this.#update({ bare, ref, url, use, credentials });
    });
    await mkdir(target, { recursive: true });
    const env = { GIT_INDEX_FILE: `${target}.index`, GIT_DIR: bare, GIT_WORK_TREE: target };
    await this.#git(target, ['read-tree', ref], env);
    await this.#git(target, ['checkout-index', '--all', '--force'], env);
    return { ...use, folder: target };
  }

  async #update({ bare, ref, url, use, credentials }: Update): Promise<void> {
    const isKnown = await this.#git(bare, ['rev-parse', '--quiet', '--verify', `${ref}^{commit}`]).then(
      () => true,
      () => false,
    );
    // The job's access to private actions is checked each time.
    if (isKnown && FULL_ID.test(use.ref) && !credentials) return;
    try {
      const args = ['fetch', '--quiet', '--depth=1', '--no-tags', '--end-of-options', url, `+${use.ref}:${ref}`];
      await this.#git(bare, args, {}, credentials);
    } catch (error) {
      const problem = `${use.url}@${use.ref} cannot be fetched: ${messageOf(error)}`;
      if (!isKnown || credentials) throw new RunnerProblem(problem);
      this.#options.warn(`::warning::${problem}; the copy of an earlier job is used`);
    }
  }

  #git(cwd: string, args: readonly string[], env: Record<string, string> = {}, credentials?: GitCredentials): Promise<string> {
    const signal = AbortSignal.any([this.#options.signal(), AbortSignal.timeout(TIMEOUT_MS)]);
    return git({ args, cwd, home: this.#options.home, signal, env, credentials });
  }
}

interface Update {
  readonly bare: string;
  readonly ref: string;
  readonly url: string;
  readonly use: RemoteUse;
  readonly credentials: GitCredentials | undefined;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
