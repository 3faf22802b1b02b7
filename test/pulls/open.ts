import assert from 'node:assert/strict';
import { findRepositoryOf } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import type { Context } from '../../src/context.ts';
import { findPull, type Pull } from '../../src/pulls/find.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** Commits one file through the API, on a branch that is created from `from` if that is given; returns the commit's id. */
export async function commit(
  who: Client,
  repository: string,
  { branch = 'main', from, path, text }: { branch?: string; from?: string; path: string; text: string },
): Promise<string> {
  const at = `/repos/${repository}/contents/${path}`;
  const { json: there } = await who.get(`${at}?ref=${from ?? branch}`);
  const where = from === undefined ? { branch } : { branch: from, new_branch: branch };
  const body = { ...where, content: Buffer.from(text).toString('base64'), message: `Write ${path}`, ...(there?.sha && { sha: there.sha }) };
  return (await who.must(there?.sha ? 'PUT' : 'POST', at, body)).commit.sha;
}

/** A new branch with one file, and a pull request from it; returns its number. */
export async function open(
  who: Client,
  repository: string,
  head: string,
  {
    base = 'main',
    path = `${head}.txt`,
    text = `${head}\n`,
    body = '',
  }: { base?: string; path?: string; text?: string; body?: string } = {},
): Promise<number> {
  await commit(who, repository, { branch: head, from: base, path, text });
  return (await who.must('POST', `/repos/${repository}/pulls`, { head, base, title: `Take ${head}`, body })).number;
}

/** Asks for a merge. */
export function merge(who: Client, repository: string, number: number, options: object = {}) {
  return who.post(`/repos/${repository}/pulls/${number}/merge`, { do: 'merge', ...options });
}

/** A context in which somebody does something, and the pull request as rules take it. */
export async function directly(t: TestServer, who: string, repository: string, number: number): Promise<{ context: Context; pull: Pull }> {
  const [owner = '', name = ''] = repository.split('/');
  const actor = (await findUser(t.context.db, who)) ?? null;
  const account = await findUser(t.context.db, owner);
  const row = account && (await findRepositoryOf(t.context.db, account, name));
  const pull = row && (await findPull(t.context.db, row, number));
  assert.ok(pull, 'no such pull request');
  return { context: { ...t.context, actor }, pull };
}
