import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const REPO = '/repos/alice/forge';
const PAGES = '/alice/forge';
const MANY = 105;
const browser = new Browser(t.url);

/** More labels, milestones and collaborators than menus have. */
before(async () => {
  const { id } = await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
  const { db } = t.context;
  const numbers = Array.from({ length: MANY }, (_, index) => String(index).padStart(3, '0'));
  const { id: _, ...user } = await db.selectFrom('users').selectAll().where('name', '=', 'alice').executeTakeFirstOrThrow();
  const people = await db
    .insertInto('users')
    .values(
      numbers.map((number) => ({
        ...user,
        name: `p${number}`,
        lower_name: `p${number}`,
        full_name: `Per\\son ${number}`,
        email: `p${number}@example.com`,
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('collaborations')
    .values(people.map((person) => ({ repository_id: id, user_id: person.id, access_level: 2, created_at: 1 })))
    .execute();
  for (const number of numbers) {
    await alice.must('POST', `${REPO}/labels`, { name: `l${number}`, color: '#0075ca' });
    await alice.must('POST', `${REPO}/milestones`, { title: `m${number}`, state: number === '104' ? 'open' : 'closed' });
  }
  await alice.must('POST', `${REPO}/issues`, { title: 'One' });
  await browser.signIn('alice', PASSWORD);
});

const names = (list: { name?: string; login?: string }[]) => list.map(({ name, login }) => login ?? name).sort();

describe('more than a menu has', () => {
  it('are chosen by their names', async () => {
    const page = await browser.get(`${PAGES}/issues/1`);
    const send = (fields: Record<string, string>) =>
      browser.send('POST', `${PAGES}/issues/1`, {
        fields: { _token: tokenOf(page.text), ...fields },
        headers: { origin: new URL(t.url).origin },
      });
    assert.match(page.text, /name="other_labels"/);
    assert.match(page.text, /name="other_assignees"/);
    const labelled = await send({ do: 'labels', other_labels: 'l103, l104' });
    assert.equal(labelled.status, 303, labelled.text);
    const assigned = await send({ do: 'assignees', other_assignees: 'p104' });
    assert.equal(assigned.status, 303, assigned.text);
    const issue = await alice.must('GET', `${REPO}/issues/1`);
    assert.deepEqual([names(issue.labels), names(issue.assignees)], [['l103', 'l104'], ['p104']]);
    const refused = await send({ do: 'labels', other_labels: 'l103, <b>' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /There is no label &lt;b&gt;\./);
    assert.deepEqual(names((await alice.must('GET', `${REPO}/issues/1`)).labels), ['l103', 'l104']);
  });

  it('are named for new issues and in filters', async () => {
    const form = await browser.get(`${PAGES}/issues/new`);
    assert.ok(form.text.includes('>m104<') && !form.text.includes('>m000<'), 'the open milestone');
    const sent = { title: ' ', body: '', other_labels: 'l102', other_assignees: 'p103' };
    const refused = await browser.submit(form, sent, `${PAGES}/issues/new`);
    assert.match(refused.text, /name="other_labels"[^>]* value="l102"/);
    const made = await browser.submit(form, { ...sent, title: 'Two' }, `${PAGES}/issues/new`);
    const issue = await alice.must('GET', `${REPO}/issues/${made.location.split('/').at(-1)}`);
    assert.deepEqual([names(issue.labels), names(issue.assignees)], [['l102'], ['p103']]);
    const list = await browser.get(`${PAGES}/issues?assignee=p103`);
    assert.match(list.text, /href="\/alice\/forge\/labels">All labels</);
    assert.match(list.text, /<input name="assignee" value="p103"/);
    assert.ok(list.text.includes('Two') && !/issues\/1"/.test(list.text));
  });

  it('are completed by any part of their name', async () => {
    const found = async (q: string) => (await browser.get(`${PAGES}/issues/suggestions?${new URLSearchParams({ kind: '@', q })}`)).text;
    assert.match(await found('p104'), /@p104/);
    assert.match(await found('SON 103'), /@p103/);
    assert.match(await found('ali'), /@alice/);
    assert.doesNotMatch(await found('nobody'), /@/);
  });
});

function tokenOf(text: string): string {
  return /name="_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
}
