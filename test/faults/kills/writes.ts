import { eventually } from '../../support/eventually.ts';
import type { KilledServer } from './server.ts';

/** What was acknowledged: files and branches with their commits. */
export interface Written {
  readonly files: Map<string, string>;
  readonly branches: Map<string, string>;
  readonly repositories: Set<string>;
  readonly issues: Set<number>;
}

/** Writes of each kind before the server is killed amid the next ones. */
const ACKNOWLEDGED = 3;

/** A clone of root/demo, for commits to push. */
export interface Work {
  readonly folder: string;
  /** The commit that branches start from. */
  readonly base: string;
}

/** Writes something under a name, and returns whether it was acknowledged. */
export type Write = (name: string) => Promise<boolean>;

/** Writes all kinds of things at once until some of each are acknowledged, then kills the server. */
export async function writeUntilKilled(server: KilledServer, written: Written, work: Work, round: number): Promise<void> {
  let isDead = false;
  const repeated = writesOf(server, written, work).map((write) => {
    const kind = { done: 0, ended: Promise.resolve() };
    const repeat = async () => {
      for (let n = 0; !isDead; n++) if (await write(`${round}-${n}`).catch(() => false)) kind.done++;
    };
    kind.ended = repeat();
    return kind;
  });
  try {
    await eventually(() => repeated.every(({ done }) => done >= ACKNOWLEDGED), 'writes');
  } finally {
    // Otherwise those that write would go on without a server, and the error would never be seen.
    await server.kill();
    isDead = true;
    await Promise.all(repeated.map(({ ended }) => ended));
  }
}

/** What can be written to root/demo: one of each kind. */
export function writesOf(
  { root }: Pick<KilledServer, 'root'>,
  { files, branches, repositories, issues }: Written,
  { folder, base }: Work,
): Write[] {
  return [
    async (name) => {
      const { status, json } = await root.post(`/repos/root/demo/contents/file-${name}`, { content: '' });
      if (status === 201) files.set(`file-${name}`, String(json.commit.sha));
      return status === 201;
    },
    async (name) => {
      const { status, json } = await root.post('/repos/root/demo/branches', { new_branch_name: `made-${name}`, old_ref_name: base });
      if (status === 201) branches.set(`made-${name}`, String(json.commit.id));
      return status === 201;
    },
    async (name) => {
      const sha = (await root.git(['commit-tree', '-p', base, '-m', name, `${base}^{tree}`], folder)).stdout.trim();
      const { code } = await root.git(['push', '-q', root.remote('root/demo'), `${sha}:refs/heads/pushed-${name}`], folder);
      if (code === 0) branches.set(`pushed-${name}`, sha);
      return code === 0;
    },
    async (name) => {
      const { status } = await root.post('/user/repos', { name: `made-${name}`, auto_init: true });
      if (status === 201) repositories.add(`made-${name}`);
      return status === 201;
    },
    async (name) => {
      const { status, json } = await root.post('/repos/root/demo/issues', { title: name });
      if (status === 201) issues.add(Number(json.number));
      return status === 201;
    },
  ];
}

/** Writes to the branch and the names that were being written to, which have to take the next change. */
export async function writeAgain({ root }: KilledServer, written: Written, round: number): Promise<void> {
  const name = `again-${round}`;
  const { commit } = await root.must('POST', `/repos/root/demo/contents/${name}`, { content: '' });
  written.files.set(name, commit.sha);
  for (let n = 0; n < 2 * ACKNOWLEDGED; n++) {
    const made = `made-${round}-${n}`;
    // On PostgreSQL it takes some seconds until the creator is found gone.
    await eventually(async () => {
      await root.post('/user/repos', { name: made, auto_init: true });
      return (await root.get(`/repos/root/${made}`)).status === 200;
    }, made);
  }
}
