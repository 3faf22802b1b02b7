import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Client } from '../support/client.ts';
import { dice, SEED } from '../support/random.ts';
import { testServer } from '../support/server.ts';
import { wrongCounts } from './stored-counts.ts';

const CLIENTS = 8;
/** Of all clients together; the whole trial takes 10,000. */
const OPERATIONS = Number(process.env.COPSE_TEST_OPERATIONS ?? 500);

const t = await testServer();
const owner = await t.user('owner');
await owner.must('POST', '/orgs', { username: 'acme' });
const repositories = ['/repos/acme/one', '/repos/acme/two'];
for (const path of repositories) await owner.must('POST', '/orgs/acme/repos', { name: path.split('/').at(-1) });
const shared = (await owner.must('POST', '/orgs/acme/labels', { name: 'shared', color: '#123456' })).id;
const milestones = new Map<string, number[]>();
const labels = new Map<string, number[]>();
for (const path of repositories) {
  const own = await Promise.all(
    ['bug', 'size/a', 'size/b'].map((name) =>
      owner.must('POST', `${path}/labels`, { name, color: '#00aabb', exclusive: name.includes('/') }),
    ),
  );
  labels.set(path, [shared, ...own.map(({ id }) => id)]);
  const goals = [
    await owner.must('POST', `${path}/milestones`, { title: 'v1' }),
    await owner.must('POST', `${path}/milestones`, { title: 'v2' }),
  ];
  milestones.set(
    path,
    goals.map(({ id }) => id),
  );
}

const given = new Map<string, number[]>(repositories.map((path) => [path, []]));

async function open(client: Client, path: string, fields: object) {
  const response = await client.post(`${path}/issues`, fields);
  if (response.status === 201) given.get(path)?.push(response.json.number);
  return response;
}

/** One random change; refusals are fine, failures of the server are not. */
async function change(client: Client, roll: (sides: number) => number): Promise<void> {
  const path = repositories[roll(repositories.length)] ?? '';
  const other = repositories[roll(repositories.length)]?.replace('/repos/', '') ?? '';
  const issue = `${path}/issues/${1 + roll(40)}`;
  const pick = (of: Map<string, number[]>) => of.get(path)?.[roll(of.get(path)?.length ?? 1)] ?? 0;
  const response = (await [
    () =>
      open(client, path, {
        title: `About #${1 + roll(40)}`,
        labels: [pick(labels)],
        milestone: pick(milestones),
        closed: roll(3) === 0,
      }),
    () => open(client, path, { title: 'Plain', body: `Like ${other}#${1 + roll(40)}, says @owner` }),
    () => client.patch(issue, { state: 'closed' }),
    () => client.patch(issue, { state: 'open' }),
    () => client.patch(issue, { milestone: roll(3) === 0 ? 0 : pick(milestones), state: roll(2) === 0 ? 'closed' : 'open' }),
    () => client.post(`${issue}/labels`, { labels: [pick(labels), pick(labels)] }),
    () => client.put(`${issue}/labels`, { labels: roll(4) === 0 ? [] : [pick(labels), pick(labels)] }),
    () => client.delete(`${issue}/labels/${pick(labels)}`),
    () => client.post(`${issue}/comments`, { body: `See #${1 + roll(40)} and ${other}#${1 + roll(40)}` }),
    () => client.post(`${issue}/comments`, { body: 'Plain' }),
    async () => {
      const { json } = await client.get(`${issue}/comments`);
      const ids = Array.isArray(json) ? json.map(({ id }) => id) : [];
      return client.delete(`${path}/issues/comments/${ids[roll(ids.length || 1)] ?? 0}`);
    },
    () => client.patch(issue, { title: `Now about #${1 + roll(40)}`, assignees: roll(2) === 0 ? [] : ['owner'] }),
    () => (roll(3) === 0 ? client.delete(issue) : client.get(issue)),
    () => client.post(`${issue}/pin`),
    () => (roll(2) === 0 ? client.delete(`${issue}/pin`) : client.patch(`${issue}/pin/${1 + roll(4)}`)),
    () => client.get(`${path}/issues?state=all&created_by=owner&labels=shared`),
  ][roll(16)]?.()) ?? { status: 0, text: '' };
  assert.ok(response.status >= 200 && response.status < 500 && response.status !== 429, `${response.status} ${response.text}`);
}

describe('many changes at once', () => {
  it(`leave every count and number right (seed ${SEED})`, async () => {
    const client = await owner.token();
    const work = Array.from({ length: CLIENTS }, async (_, index) => {
      const roll = dice(SEED + index);
      for (let i = 0; i < OPERATIONS / CLIENTS; i++) await change(client, roll);
    });
    await Promise.all(work);
    const { db } = t.context;
    const wrong = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
    assert.deepEqual(
      await wrong(sql`select id, issues_count, closed_issues_count from repositories r
        where issues_count <> (select count(*) from issues where repository_id = r.id and is_pull = false)
           or closed_issues_count <> (select count(*) from issues where repository_id = r.id and is_pull = false and is_closed = true)
           or pulls_count <> 0 or closed_pulls_count <> 0`),
      [],
      'repositories',
    );
    assert.deepEqual(
      await wrong(sql`select id, issues_count, closed_issues_count from milestones m
        where issues_count <> (select count(*) from issues where milestone_id = m.id)
           or closed_issues_count <> (select count(*) from issues where milestone_id = m.id and is_closed = true)`),
      [],
      'milestones',
    );
    assert.deepEqual(
      await wrong(sql`select id, name, issues_count, closed_issues_count from labels l
        where issues_count <> (select count(*) from issue_labels where label_id = l.id)
           or closed_issues_count <>
              (select count(*) from issue_labels join issues on issues.id = issue_labels.issue_id where label_id = l.id and is_closed = true)`),
      [],
      'labels',
    );
    assert.deepEqual(
      await wrong(sql`select id, comments_count from issues i
        where comments_count <> (select count(*) from comments where issue_id = i.id and kind = 'comment')`),
      [],
      'comments',
    );
    assert.deepEqual(
      await wrong(
        sql`select issue_id from issue_labels join labels on labels.id = label_id and is_exclusive = true group by issue_id having count(*) > 1`,
      ),
      [],
      'labels of one exclusive scope',
    );
    assert.deepEqual(
      await wrong(
        sql`select id from comments c where ref_issue_id is not null and not exists (select 1 from issues where id = c.ref_issue_id)`,
      ),
      [],
      'references',
    );
    assert.deepEqual(
      await wrong(sql`select repository_id, pin_order, count(*) from issues where pin_order > 0
        group by repository_id, pin_order having count(*) > 1`),
      [],
      'places of pins',
    );
    assert.deepEqual(
      await wrong(sql`select repository_id, count(*) from issues where pin_order > 0 group by repository_id
        having count(*) > ${t.context.settings.issues.maxPinned}`),
      [],
      'numbers of pins',
    );
    assert.deepEqual(await wrongCounts(db), [], 'what is counted by marks');
    for (const path of repositories) {
      const row = await db
        .selectFrom('repositories')
        .select('last_issue_number')
        .where('lower_name', '=', path.split('/').at(-1) ?? '')
        .executeTakeFirstOrThrow();
      const numbers = (given.get(path) ?? []).sort((a, b) => a - b);
      const expected = Array.from({ length: row.last_issue_number }, (_, index) => index + 1);
      assert.deepEqual(numbers, expected, 'no number is lost or given twice');
    }
  });
});
