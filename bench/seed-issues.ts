import { sql } from 'kysely';
import { findRepositoryOf } from '../src/access/find-repository.ts';
import { findUser } from '../src/access/find-user.ts';
import { now } from '../src/clock.ts';
import { inTransaction, internalContext } from '../src/context.ts';
import { indexComment, indexIssue } from '../src/issues/search/index.ts';
import { openServices } from '../src/server.ts';
import { loadSettings } from '../src/settings.ts';

/**
 * `node bench/seed-issues.ts OWNER/REPOSITORY COUNT`: writes issues past the interface into a repository that is there, so that lists,
 * searches and single reads can be measured with many. Every fourth is closed, every tenth has the label `seeded`, every fifth the
 * milestone `seeded`, every eighth is assigned to the owner and every sixteenth mentions them, every hundredth has the word of its hundred
 * (`batch17`) beside words that many share, and every twentieth a comment. The first ten have the label `rare`; those but each fiftieth
 * are the owner's. The settings are those of the environment; no server may be running.
 */
const [place = '', number = ''] = process.argv.slice(2);
const [ownerName = '', name = ''] = place.split('/');
const count = Number(number);
if (!name || !Number.isInteger(count) || count < 1) throw new Error('usage: node bench/seed-issues.ts OWNER/REPOSITORY COUNT');

const BATCH = 1000;
const WORDS = ['printer', 'crashes', 'slowly', 'window', 'button', 'network', 'restart', 'memory', 'screen', 'update'];

const services = await openServices(loadSettings({ environment: process.env }));
const context = internalContext(services);
const owner = await findUser(context.db, ownerName);
const repository = owner && (await findRepositoryOf(context.db, owner, name));
if (!owner || !repository) throw new Error(`there is no repository ${place}`);

const word = (seed: number) => WORDS[seed % WORDS.length] ?? '';
const time = { created_at: now(), updated_at: now() };
const label = (name: string) =>
  context.db
    .insertInto('labels')
    .values({ repository_id: repository.id, name, color: '00aabb', ...time })
    .returning('id')
    .executeTakeFirstOrThrow();
const [seeded, rare] = [await label('seeded'), await label('rare')];
const milestone = await context.db
  .insertInto('milestones')
  .values({ repository_id: repository.id, title: 'seeded', ...time })
  .returning('id')
  .executeTakeFirstOrThrow();
const others = await context.db.selectFrom('users').select('id').where('type', '=', 'individual').orderBy('id').limit(50).execute();
const authorOf = (seed: number) => (seed % 50 === 49 ? (others[((seed / 50) % others.length) | 0]?.id ?? owner.id) : owner.id);

const start = now() - count;
for (let done = 0; done < count; done += BATCH) {
  const size = Math.min(BATCH, count - done);
  await inTransaction(context, async (context) => {
    const first = repository.last_issue_number + done;
    const rows = Array.from({ length: size }, (_, index) => {
      const seed = done + index;
      return {
        repository_id: repository.id,
        number: first + index + 1,
        author_id: authorOf(seed),
        milestone_id: seed % 5 === 0 ? milestone.id : null,
        comments_count: seed % 20 === 0 ? 1 : 0,
        title: `The ${word(seed)} ${word(seed >> 4)} when the ${word(seed >> 8)} is busy`,
        body: `Seen in ${word(seed >> 2)} number ${seed}.${seed % 100 === 0 ? ` batch${seed / 100}` : ''}`,
        is_closed: seed % 4 === 0,
        closed_at: seed % 4 === 0 ? start + seed : null,
        created_at: start + seed,
        updated_at: start + seed,
      };
    });
    const inserted = await context.db
      .insertInto('issues')
      .values(rows)
      .returning(['id', 'repository_id', 'number', 'title', 'body'])
      .execute();
    for (const issue of inserted) await indexIssue(context, issue);
    const every = (step: number) => inserted.filter((_, index) => (done + index) % step === 0).map(({ id }) => id);
    const labels = [
      ...every(10).map((issue_id) => ({ issue_id, label_id: seeded.id })),
      ...(done === 0 ? inserted.slice(0, 10) : []).map(({ id }) => ({ issue_id: id, label_id: rare.id })),
    ];
    await context.db.insertInto('issue_labels').values(labels).execute();
    const people = (step: number) => every(step).map((issue_id) => ({ issue_id, user_id: owner.id }));
    await context.db.insertInto('issue_assignees').values(people(8)).execute();
    await context.db.insertInto('issue_mentions').values(people(16)).execute();
    const comments = await context.db
      .insertInto('comments')
      .values(
        every(20).map((issue_id) => ({
          issue_id,
          repository_id: repository.id,
          kind: 'comment' as const,
          author_id: owner.id,
          body: `So is the ${word(issue_id)}.`,
          created_at: start + done,
          updated_at: start + done,
        })),
      )
      .returning(['id', 'issue_id', 'repository_id', 'body'])
      .execute();
    for (const comment of comments) await indexComment(context, comment);
  });
}
const countedBy = (mark: 'label' | 'milestone', id: number, isClosed?: boolean) =>
  sql<number>`(select coalesce(sum(count), 0) from issue_counts where mark = ${mark} and mark_id = ${id}
    and is_closed in (${isClosed ?? false}, ${true}))`;
for (const [table, mark, { id }] of [
  ['labels', 'label', seeded],
  ['labels', 'label', rare],
  ['milestones', 'milestone', milestone],
] as const) {
  await context.db
    .updateTable(table)
    .set({ issues_count: countedBy(mark, id), closed_issues_count: countedBy(mark, id, true) })
    .where('id', '=', id)
    .execute();
}
const { count: closed } = await context.db
  .selectFrom('issues')
  .select((select) => select.fn.countAll<number>().as('count'))
  .where('repository_id', '=', repository.id)
  .where('is_closed', '=', true)
  .executeTakeFirstOrThrow();
await context.db
  .updateTable('repositories')
  .set({
    last_issue_number: repository.last_issue_number + count,
    issues_count: repository.issues_count + count,
    closed_issues_count: Number(closed),
  })
  .where('id', '=', repository.id)
  .execute();
await services.database.close();
