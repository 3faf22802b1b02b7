import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRepositoryOf } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import { repositoryAccess } from '../../src/access/repository-access.ts';
import { renderMarkdown } from '../../src/markup/render.ts';
import { markupContext } from '../../src/rendering/lookups.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'secret', private: true });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'A <b>bold</b> plan' });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'Done', closed: true });
await alice.must('POST', '/repos/alice/secret/issues', { title: 'Nobody knows' });

async function render(viewer: string, text: string): Promise<string> {
  const { db } = t.context;
  const actor = (await findUser(db, viewer)) ?? null;
  const owner = await findUser(db, 'alice');
  assert.ok(owner);
  const repository = await findRepositoryOf(db, owner, 'demo');
  assert.ok(repository);
  const context = { ...t.context, actor };
  const access = await repositoryAccess(context, repository, actor);
  return renderMarkdown(text, {
    ...(await markupContext(context, { repository, access }, { titles: true })),
    absoluteLinks: true,
    origin: { kind: 'comment' },
  });
}

describe('titles of issues in lists', () => {
  it('are shown as text, with the state', async () => {
    const html = await render('bob', '- #1\n- Alice/Demo#2\n- #99');
    assert.match(html, /octicon-issue-opened.* A &lt;b&gt;bold&lt;\/b&gt; plan \(#1\)/s);
    assert.match(html, /octicon-issue-closed.* Done \(Alice\/Demo#2\)/s);
    assert.match(html, />#99</);
  });

  it('are hidden from users who may not read the issue', async () => {
    assert.match(await render('alice', '- alice/secret#1'), /Nobody knows/);
    assert.doesNotMatch(await render('bob', '- alice/secret#1'), /Nobody knows/);
    assert.doesNotMatch(await render('', '- alice/secret#1'), /Nobody knows/);
  });

  it('are not used for the API', async () => {
    const { text } = await alice.post('/repos/alice/demo/markdown', { Text: '- #1', Mode: 'comment' });
    assert.match(text, />#1<\/a>/);
    assert.doesNotMatch(text, /plan/);
  });
});

describe('mentions of teams', () => {
  it('lead to teams of the repository for members of the organization', async () => {
    await alice.must('POST', '/orgs', { username: 'acme' });
    await alice.must('POST', '/orgs/acme/repos', { name: 'tool' });
    const team = { name: 'Crew', permission: 'read', units: ['repo.code'], includes_all_repositories: true };
    await alice.must('POST', '/orgs/acme/teams', team);
    const as = async (client: typeof alice, name: string) =>
      (await client.post('/repos/acme/tool/markdown', { Text: `@acme/${name}`, Mode: 'comment' })).text;
    assert.match(await as(alice, 'crew'), /href="[^"]*\/org\/acme\/teams\/crew"/);
    assert.doesNotMatch(await as(alice, 'others'), /href=/);
    assert.doesNotMatch(await as(bob, 'crew'), /href="[^"]*teams/);
  });
});
