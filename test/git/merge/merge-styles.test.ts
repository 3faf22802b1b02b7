import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MergeConflictError, NotFastForwardError } from '../../../src/git/merge/merge.ts';
import { type GitMergeStyle, mergeInStyle } from '../../../src/git/merge/merge-styles.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { GitError } from '../../../src/git/processes/process.ts';
import type { GitRepository } from '../../../src/git/repository.ts';
import { SEED } from '../../support/random.ts';
import { generatedHistories } from '../generated-histories.ts';
import { ALICE, clientEnvironment, emptyRepository, git, requireSound, temporaryFolder } from '../writing.ts';

const HISTORIES = Number(process.env.COPSE_TEST_HISTORIES ?? 50);
const MESSAGE = 'Merge it\n\nWith a reason.\n';

let repository: GitRepository;
/** The same objects, with files checked out. */
let tree: string;
/** The ids of the branches. */
let tips: Map<string, string>;
/** What git has rebased, by head. */
const rebasedHeads = new Map<string, string | { conflicts: string[] }>();

const pool = new GitPool();
after(() => pool.close());

before(async () => {
  repository = await emptyRepository();
  git(repository, ['fast-import', '--quiet'], generatedHistories(HISTORIES, SEED));
  tips = new Map(
    git(repository, ['for-each-ref', '--format=%(refname:short) %(objectname)'])
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  tree = join(temporaryFolder(), 'tree');
  git('/', ['clone', '-q', '--shared', '--no-checkout', repository.path, tree]);
});

/** Runs git in the work tree as Alice; returns whether it went well. */
function tries(...args: string[]): boolean {
  try {
    execFileSync('git', args, { cwd: tree, env: clientEnvironment(), stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** What git makes of it with a work tree: the commit, or the paths in conflict. */
function withWorkTree(style: GitMergeStyle, base: string, head: string): string | { conflicts: string[] } | 'refused' {
  if (style === 'rebase') {
    const rebased = rebaseInWorkTree(base, head);
    rebasedHeads.set(head, rebased);
    return rebased;
  }
  const rebased = rebasedHeads.get(head);
  if (style === 'rebase-merge' && (rebased === base || typeof rebased !== 'string')) return rebased ?? 'refused';
  checkOut(base);
  if (style === 'fast-forward-only') return tries('merge', '-q', '--ff-only', head) ? headOfTree() : 'refused';
  const how = style === 'squash' ? ['--squash', head] : ['--no-ff', '--no-commit', style === 'merge' ? head : String(rebased)];
  if (!tries('merge', '-q', ...how)) return unmerged();
  assert.ok(tries('commit', '-q', '--allow-empty', `--message=${MESSAGE}`), 'not committed');
  return headOfTree();
}

function rebaseInWorkTree(base: string, head: string): string | { conflicts: string[] } {
  checkOut(head);
  return tries('rebase', '-q', base) ? headOfTree() : unmerged();
}

/** The commit that is checked out; no branch is. */
function headOfTree(): string {
  return readFileSync(join(tree, '.git', 'HEAD'), 'utf8').trim();
}

function checkOut(commit: string): void {
  if (existsSync(join(tree, '.git', 'rebase-merge'))) tries('rebase', '--quit');
  if (tries('checkout', '-q', '--detach', commit)) return;
  tries('reset', '-q', '--hard');
  tries('clean', '-qfdx');
  assert.ok(tries('checkout', '-qf', '--detach', commit), 'no work tree');
}

function unmerged(): { conflicts: string[] } {
  const lines = git(tree, ['ls-files', '-z', '--unmerged']).split('\0').filter(Boolean);
  return { conflicts: [...new Set(lines.map((line) => line.split('\t')[1] ?? ''))].sort() };
}

async function withoutWorkTree(
  style: GitMergeStyle,
  base: string,
  head: string,
  options: { pool?: GitPool } = {},
): Promise<string | { conflicts: string[] } | 'refused'> {
  try {
    return await mergeInStyle(repository, style, { base, head, author: ALICE, committer: ALICE, message: MESSAGE, ...options });
  } catch (error) {
    if (error instanceof MergeConflictError) return { conflicts: [...error.paths].sort() };
    if (error instanceof NotFastForwardError) return 'refused';
    throw error instanceof GitError ? new Error(error.stderr) : error;
  }
}

describe(`merging ${HISTORIES} generated histories as git does with a work tree`, () => {
  const outcomes = new Map<string, number>();
  for (const style of ['merge', 'squash', 'rebase', 'rebase-merge', 'fast-forward-only'] as const) {
    it(`by ${style}`, async () => {
      for (let n = 0; n < HISTORIES; n++) {
        const [base = '', head = ''] = [tips.get(`base-${n}`), tips.get(`head-${n}`)];
        const expected = withWorkTree(style, base, head);
        const made = await withoutWorkTree(style, base, head);
        assert.deepEqual(made, expected, `history ${n} of seed ${SEED}`);
        assert.deepEqual(await withoutWorkTree(style, base, head, { pool }), expected, `history ${n} of seed ${SEED}, with a pool`);
        const outcome = typeof made === 'string' ? 'merged' : 'conflict';
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    });
  }
  it('has seen both ends often, and left a sound repository', () => {
    assert.ok(
      (outcomes.get('merged') ?? 0) >= HISTORIES && (outcomes.get('conflict') ?? 0) >= HISTORIES / 4,
      JSON.stringify([...outcomes]),
    );
    requireSound(repository);
  });
});
