// On SQLite alone: there, a transaction keeps all other writers waiting.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { it } from 'node:test';
import { type GitProcessStarted, gitProcesses } from '../../src/git/processes/observe.ts';
import { type Operation, operations, statements } from '../../src/tracing/operations.ts';
import { hiddenThings } from '../routes/world.ts';
import { firsts, lasting, writeEverywhere } from '../routes/writing.ts';
import { testServer } from '../support/server.ts';
import { workTree } from '../transport/work-tree.ts';

/** What is under way, the outermost first. */
const underWay = new AsyncLocalStorage<readonly string[]>();
operations.start.bindStore(underWay, (operation) => [...(underWay.getStore() ?? []), (operation as Operation).name]);
const isInTransaction = () => underWay.getStore()?.includes('transaction') ?? false;

const seen = { processes: 0, statements: 0 };
const found: string[] = [];
statements.subscribe(() => {
  if (isInTransaction()) seen.statements++;
});
gitProcesses.subscribe((started) => {
  seen.processes++;
  if (isInTransaction()) found.push(`${underWay.getStore()?.join(' > ')} > git ${(started as GitProcessStarted).command}`);
});

const t = await testServer({ git: { hooksEnabled: true } });

it('no process of git is started within a transaction', { timeout: 600_000 }, async () => {
  const { alice, repository, organization, values } = await hiddenThings(t);
  const [owner = '', repo = ''] = repository.split('/');
  const tree = await workTree(t, alice, repository);
  await tree.git('fetch', '-q', 'origin', 'main');
  await tree.git('push', '-q', 'origin', 'FETCH_HEAD:refs/heads/pushed', 'FETCH_HEAD:refs/tags/pushed');
  await tree.git('push', '-q', 'origin', 'FETCH_HEAD:refs/for/main/topic');
  const places = { ...values, index: ['1'], base: ['main'], position: ['1'], owner: [owner], repo: [repo], org: [organization] };
  const people = { username: ['alice'], template_owner: [owner], template_repo: [repo], collaborator: ['helper'], user: ['helper'] };
  const fields = { owner, repo, head: 'pushed', base: 'main', content: 'heart', color: '#123456', url: 'https://example.com' };
  await writeEverywhere(alice, lasting, firsts({ ...places, ...people }), { ...fields, content_type: 'json', type: 'gitea' });
  await t.settled();
  assert.deepEqual(found, []);
  // Otherwise nothing of it would have been seen.
  assert.ok(seen.processes > 10 && seen.statements > 100, JSON.stringify(seen));
});
