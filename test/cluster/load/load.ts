import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Work, type Write, type Written, writesOf } from '../../faults/kills/writes.ts';
import type { Cluster } from '../support/cluster.ts';
import { Receiver } from './receiver.ts';
import { TrackedClient } from './tracked-client.ts';

/** What was acknowledged: what the tests of kills write, and what comes on top of that here. */
export interface LoadWritten extends Written {
  /** Comments by id, with the number of their issue. */
  readonly comments: Map<number, number>;
  /** Packages by name, with the digest of their file. */
  readonly packages: Map<string, string>;
  /** Pull requests that were merged. */
  readonly merged: Set<number>;
}

/** Bytes of a package. */
const PACKAGE_BYTES = 200_000;
/** Milliseconds between the beginnings of two writes of one kind, at least. */
const PAUSE_MS = 300;

/** Writes of all kinds through the proxy, one of each kind at a time, until it is stopped. */
export class Load {
  readonly client: TrackedClient;
  readonly receiver: Receiver;
  readonly written: LoadWritten = {
    files: new Map(),
    branches: new Map(),
    repositories: new Set(),
    issues: new Set(),
    comments: new Map(),
    packages: new Map(),
    merged: new Set(),
  };
  readonly #writes: readonly Write[];
  #isStopped = false;
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(client: TrackedClient, receiver: Receiver, work: Work) {
    this.client = client;
    this.receiver = receiver;
    this.#writes = [...writesOf({ root: client }, this.written, work), ...furtherWrites(client, this.written)];
  }

  /** Makes root/demo and a webhook for all that the administrator owns. */
  static async prepare({ root, url, folder }: Cluster): Promise<Load> {
    const receiver = await Receiver.start();
    const config = { url: receiver.url, content_type: 'json' };
    const events = ['push', 'issues', 'issue_comment', 'pull_request', 'repository', 'package'];
    await root.must('POST', '/user/hooks', { type: 'gitea', config, events, active: true });
    await root.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    const work = join(folder, 'work');
    await root.git(['clone', '-q', root.remote('root/demo'), work], folder);
    const base = (await root.git(['rev-parse', 'HEAD'], work)).stdout.trim();
    return new Load(new TrackedClient(url), receiver, { folder: work, base });
  }

  /** How much was acknowledged. */
  get acknowledged(): number {
    return Object.values(this.written).reduce((sum, { size }) => sum + size, 0);
  }

  start(): void {
    this.#ended = Promise.all(
      this.#writes.map(async (write) => {
        for (let round = 0; !this.#isStopped; round++) {
          const pause = sleep(PAUSE_MS);
          await write(String(round)).catch(() => false);
          await pause;
        }
      }),
    );
  }

  /** Resolves when the last write has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }
}

function furtherWrites(client: TrackedClient, { issues, comments, packages, merged, branches }: LoadWritten): Write[] {
  const repository = '/repos/root/demo';
  return [
    async (name) => {
      const number = [...issues].at(-1);
      if (number === undefined) return false;
      const { status, json } = await client.post(`${repository}/issues/${number}/comments`, { body: name });
      if (status === 201) comments.set(json.id, number);
      return status === 201;
    },
    async (name) => {
      const raw = randomBytes(PACKAGE_BYTES);
      const type = 'application/octet-stream';
      const { status } = await client.send('PUT', `//api/packages/root/generic/load-${name}/1/file`, { raw, type });
      if (status === 201) packages.set(`load-${name}`, createHash('sha256').update(raw).digest('hex'));
      return status === 201;
    },
    async (name) => {
      const branch = `merge-${name}`;
      const file = await client.post(`${repository}/contents/${branch}`, { content: '', branch: 'main', new_branch: branch });
      if (file.status !== 201) return false;
      branches.set(branch, file.json.commit.sha);
      const pull = await client.post(`${repository}/pulls`, { head: branch, base: 'main', title: branch });
      if (pull.status !== 201) return false;
      const { status } = await client.post(`${repository}/pulls/${pull.json.number}/merge`, { Do: 'merge' });
      if (status === 200) merged.add(pull.json.number);
      return status === 200;
    },
  ];
}
