import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reviewed } from '../../pulls/reviewed.ts';
import { Browser } from '../../support/browser.ts';
import { testServer } from '../../support/server.ts';
import { act, signedIn } from './forms.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('bob');
await t.user('carol');
const repository = await reviewed(t, alice, 'forge', { bob: 'write', carol: 'read' });
const number = await repository.open(alice, { title: 'A change' });
const PULL = `/alice/forge/pulls/${number}`;
const [owner, writer, reader] = [await signedIn(t, 'alice'), await signedIn(t, 'bob'), await signedIn(t, 'carol')];
const pull = async () => alice.must('GET', `/repos/alice/forge/pulls/${number}`);
const contents = async (path: string) => {
  const { content } = await alice.must('GET', `/repos/alice/forge/contents/${path}?ref=topic-1`);
  return Buffer.from(content, 'base64').toString();
};
const commentIds = async (body: RegExp) => {
  const reviews = await alice.must('GET', `/repos/alice/forge/pulls/${number}/reviews`);
  const found: number[] = [];
  for (const { id } of reviews) {
    const comments = await alice.must('GET', `/repos/alice/forge/pulls/${number}/reviews/${id}/comments`);
    for (const comment of comments) if (body.test(comment.body)) found.push(comment.id);
  }
  return found;
};
const HOSTILE = '<img src=x onerror=alert(1)>';

describe('viewed files', () => {
  it('are counted and folded for who marked them, until they change', async () => {
    const files = await reader.get(`${PULL}/files`);
    assert.match(files.text, /0 \/ 2 viewed/);
    const marked = await act(reader, `${PULL}/viewed-files`, { path: 'b.txt', viewed: 'on' });
    assert.match(marked.location, new RegExp(`^${PULL}/files#diff-`));
    const seen = (await reader.get(`${PULL}/files`)).text;
    assert.match(seen, /1 \/ 2 viewed/);
    assert.match(seen, /is-viewed" id="[^"]*" aria-label="b.txt"/);
    assert.match((await writer.get(`${PULL}/files`)).text, /0 \/ 2 viewed/, 'nobody else sees it');
    await repository.commit(alice, 'topic-1', 'b.txt', 'newer\n');
    const changed = (await reader.get(`${PULL}/files`)).text;
    assert.match(changed, /0 \/ 2 viewed/);
    assert.match(changed, /Changed since you viewed it/);
    await act(reader, `${PULL}/viewed-files`, { path: 'b.txt', viewed: '' });
    assert.doesNotMatch((await reader.get(`${PULL}/files`)).text, /Changed since you viewed it/);
  });

  it('are files of the pull request, and of who is signed in', async () => {
    assert.equal((await act(reader, `${PULL}/viewed-files`, { path: 'none.txt', viewed: 'on' })).status, 422);
    const stranger = new Browser(t.url);
    assert.doesNotMatch((await stranger.get(`${PULL}/files`)).text, /viewed-files/);
    assert.equal((await stranger.send('POST', `${PULL}/viewed-files`, { fields: { path: 'b.txt', viewed: 'on' } })).status, 403);
  });
});

describe('suggestions', () => {
  const suggest = async (at: string, lines: string) =>
    act(writer, `${PULL}/files`, { type: 'comment', at, body: `Try <b>this</b>\n\n\`\`\`suggestion\n${lines}\n\`\`\`` });

  it('are offered with the lines as they are', async () => {
    const form = await writer.get(`${PULL}/files?at=${encodeURIComponent('new:9-10:a.txt')}&suggest=1`);
    assert.match(form.text, /```suggestion\nline 9\nLINE TEN\n```/);
    assert.match(form.text, /lines 9 to 10/);
  });

  it('are committed by who may push, with their author as a co-author', async () => {
    assert.equal((await suggest('new:9-10:a.txt', `nine\nten ${HOSTILE}`)).status, 303);
    const shown = await owner.get(PULL);
    assert.ok(shown.text.includes('&lt;img src=x onerror='));
    assert.ok(!shown.text.includes(HOSTILE));
    assert.match(shown.text, /Suggested change[\s\S]*line 9[\s\S]*nine/);
    const [id] = await commentIds(/nine/);
    assert.doesNotMatch((await reader.get(PULL)).text, /Commit suggestion/);
    const refused = await act(reader, PULL, { do: 'apply-suggestions', suggestion: `${id}:0` });
    assert.match(refused.text, /may not push to the branch/);
    assert.equal((await act(owner, PULL, { do: 'apply-suggestions', suggestion: `${id}:7` })).status, 404);
    const done = await act(owner, PULL, { do: 'apply-suggestions', suggestion: `${id}:0`, commit_message: 'As bob says' });
    assert.equal(done.location, PULL, done.text);
    await t.settled();
    assert.ok((await contents('a.txt')).includes(`line 8\nnine\nten ${HOSTILE}\nline 11\n`));
    const { commit } = await alice.must('GET', '/repos/alice/forge/git/commits/topic-1');
    assert.match(commit.message, /^As bob says\n\nCo-authored-by: bob <[^>]+>/);
    const late = await act(owner, PULL, { do: 'apply-suggestions', suggestion: `${id}:0` });
    assert.deepEqual([late.status, /a suggestion is outdated/.test(late.text)], [422, true]);
    assert.match((await owner.get(PULL)).text, /Outdated/);
  });

  it('become one commit where several are chosen, but not where they want the same lines', async () => {
    await suggest('new:2:a.txt', 'two');
    await suggest('new:4-5:a.txt', 'four\nand five\nand more');
    await suggest('new:5:a.txt', 'five');
    const ids = await commentIds(/suggestion\n(two|four|five)/);
    assert.equal(ids.length, 3);
    const chosen = ids.map((id) => `${id}:0`);
    assert.match((await owner.get(`${PULL}/files`)).text, /Commit several suggestions/);
    assert.match((await act(owner, PULL, { do: 'apply-suggestions', suggestion: chosen })).text, /do not fit into a.txt together/);
    const before = (await pull()).head.sha;
    const done = await act(owner, PULL, { do: 'apply-suggestions', suggestion: chosen.slice(0, 2), back: 'files' });
    assert.equal(done.location, `${PULL}/files`);
    await t.settled();
    assert.match(await contents('a.txt'), /^line 1\ntwo\nline 3\nfour\nand five\nand more\nline 6\n/);
    const { parents } = await alice.must('GET', '/repos/alice/forge/git/commits/topic-1');
    assert.equal(parents[0].sha, before);
    assert.equal((await act(owner, PULL, { do: 'apply-suggestions' })).status, 422);
  });

  it('of a review that is not submitted cannot be committed', async () => {
    await act(writer, `${PULL}/files`, { type: 'pending', at: 'new:1:a.txt', body: '```suggestion\nunseen\n```' });
    const page = (await writer.get(`${PULL}/files`)).text;
    const [, id = ''] = /id="issuecomment-(\d+)"(?:(?!id="issuecomment).)*unseen/s.exec(page) ?? [];
    assert.ok(id);
    assert.match((await writer.get(PULL)).text, /1 comment of your review is not submitted/);
    assert.ok(!(await owner.get(`${PULL}/files`)).text.includes('unseen'));
    assert.equal((await act(owner, PULL, { do: 'apply-suggestions', suggestion: `${id}:0` })).status, 404);
    const gone = await act(writer, PULL, { do: 'delete-comment', comment: id, back: 'files' });
    assert.equal(gone.location, `${PULL}/files`);
    await act(writer, `${PULL}/files`, { do: 'discard' });
  });
});

describe('threads', () => {
  it('have answers, which their authors change and delete', async () => {
    await act(writer, `${PULL}/files`, { type: 'comment', at: 'new:12:a.txt', body: 'A question' });
    const [question] = await commentIds(/A question/);
    assert.equal((await act(reader, PULL, { do: 'reply', comment: String(question), body: ' ' })).status, 422);
    const replied = await act(reader, PULL, { do: 'reply', comment: String(question), body: `An answer ${HOSTILE}` });
    const [, id = ''] = /#issuecomment-(\d+)$/.exec(replied.location) ?? [];
    const shown = (await owner.get(PULL)).text;
    assert.match(shown, /A question[\s\S]*An answer/);
    assert.ok(!shown.includes(HOSTILE));
    assert.match((await reader.get(`${PULL}?edit=${id}`)).text, new RegExp(`id="edit-${id}"`));
    await act(reader, PULL, { do: 'edit-comment', comment: id, body: 'Another answer', version: '0' });
    assert.match((await owner.get(`${PULL}/files`)).text, /Another answer/);
    const mallory = await act(reader, PULL, { do: 'edit-comment', comment: String(question), body: 'Mine', version: '0' });
    assert.match(mallory.text, /You may not change this/);
    await act(reader, PULL, { do: 'delete-comment', comment: id });
    assert.doesNotMatch((await owner.get(PULL)).text, /Another answer/);
    assert.equal((await act(reader, PULL, { do: 'reply', comment: '999999', body: 'x' })).status, 404);
  });
});

describe('reviewers', () => {
  it('are requested, again too, and their reviews dismissed by administrators', async () => {
    await act(owner, PULL, { do: 'request-reviews', reviewer: ['bob', 'carol'] });
    assert.match((await owner.get(PULL)).text, /Review requested/);
    await act(owner, PULL, { do: 'take-back-requests', reviewer: 'carol' });
    await act(writer, `${PULL}/files`, { type: 'reject', body: 'No' });
    const reviews = await alice.must('GET', `/repos/alice/forge/pulls/${number}/reviews`);
    const { id } = reviews.find((review: { state: string }) => review.state === 'REQUEST_CHANGES');
    assert.match(
      (await act(writer, PULL, { do: 'dismiss', review: String(id) })).text,
      /Only administrators of the repository can do this/,
    );
    await act(owner, PULL, { do: 'dismiss', review: String(id), [`reason_${id}`]: `Settled ${HOSTILE}` });
    const shown = (await owner.get(PULL)).text;
    assert.match(shown, /Dismissed[\s\S]*Settled/);
    assert.ok(!shown.includes(HOSTILE));
    await act(owner, PULL, { do: 'request-reviews', reviewer: 'bob' });
    const { requested_reviewers: requested } = await pull();
    assert.deepEqual(
      requested.map(({ login }: { login: string }) => login),
      ['bob'],
    );
  });
});

describe('ranges of commits', () => {
  it('are shown by their ends, and what came since the last review', async () => {
    const commits = await alice.must('GET', `/repos/alice/forge/pulls/${number}/commits`);
    const ids = commits.map(({ sha }: { sha: string }) => sha);
    const [newest = '', , third = ''] = ids;
    const one = (await reader.get(`${PULL}/commits/${third.slice(0, 10)}`)).text;
    assert.match(one, /only a part of the changes[\s\S]*1 file changed/);
    const range = await reader.get(`${PULL}/files?from=${third}&to=${newest}`);
    assert.equal(range.location, `${PULL}/files/${third}..${newest}`);
    const part = (await reader.get(range.location)).text;
    assert.ok(part.includes('a.txt') && part.includes('whitespace=ignore-all'));
    assert.equal((await reader.get(`${PULL}/files/${third}`)).status, 200);
    for (const path of ['files/abcdef1', 'files/abcdef1..abcdef2', 'commits/abcdef1', 'files/....']) {
      assert.equal((await reader.get(`${PULL}/${path}`)).status, 404, path);
    }
    await act(writer, `${PULL}/files`, { type: 'comment', body: 'Seen' });
    await repository.commit(alice, 'topic-1', 'c.txt', 'more\n');
    const since = `${PULL}/files/${newest}..${(await pull()).head.sha}`;
    assert.ok((await writer.get(`${PULL}/files`)).text.includes(since));
    const news = (await writer.get(since)).text;
    assert.ok(
      news.includes('c.txt') &&
        !news.includes(
          'diff-head"><span class="counts"><span class="plus" title="Added">+1</span> <span class="minus" title="Removed">−0</span></span>\n<a class="mono plain" href="#b.txt',
        ),
    );
  });

  it('take comments on their lines, which the whole shows too', async () => {
    const commits = await alice.must('GET', `/repos/alice/forge/pulls/${number}/commits`);
    const { sha } = commits[1];
    await act(writer, `${PULL}/files`, { type: 'comment', at: 'new:15:a.txt', commit: sha, body: 'Of an older commit' });
    assert.match((await reader.get(`${PULL}/files`)).text, /Of an older commit/);
    assert.equal(
      (await act(writer, `${PULL}/files`, { type: 'comment', at: 'new:15:a.txt', commit: 'f'.repeat(40), body: 'x' })).status,
      404,
    );
  });
});

describe('forced pushes', () => {
  it('lead to what lies between the two heads', async () => {
    const { head } = await pull();
    const commits = await alice.must('GET', `/repos/alice/forge/pulls/${number}/commits`);
    const { sha: back } = commits[1];
    await alice.must('PUT', '/repos/alice/forge/branches/topic-1', { new_commit_id: back, old_commit_id: head.sha, force: true });
    await t.settled();
    const shown = (await reader.get(PULL)).text;
    assert.match(shown, new RegExp(`force-pushed the branch from[\\s\\S]*compare/${head.sha}\\.\\.${back}`));
    assert.equal((await reader.get(`/alice/forge/compare/${head.sha}..${back}`)).status, 200);
  });
});
