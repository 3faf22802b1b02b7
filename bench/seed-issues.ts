import { findUser } from '../src/accounts/find.ts';
import { inTransaction, internalContext } from '../src/context.ts';
import { now } from '../src/http/schema.ts';
import { indexIssue } from '../src/issues/search/index.ts';
import { findRepositoryOf } from '../src/repositories/find.ts';
import { openServices } from '../src/server.ts';
import { loadSettings } from '../src/settings.ts';

/**
 * `node bench/seed-issues.ts OWNER/REPOSITORY COUNT`: writes issues past the interface into a repository that is there, so that lists,
 * searches and single reads can be measured with many. Every fourth is closed, every tenth has the label `seeded`, every hundredth the
 * word of its hundred (`batch17`) beside words that many share. The settings are those of the environment; no server may be running.
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
const label = await context.db
  .insertInto('labels')
  .values({ repository_id: repository.id, name: 'seeded', color: '00aabb', created_at: now(), updated_at: now() })
  .returning('id')
  .executeTakeFirstOrThrow();

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
        author_id: owner.id,
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
    const labelled = inserted.filter((issue) => issue.number % 10 === 0).map(({ id }) => ({ issue_id: id, label_id: label.id }));
    if (labelled.length > 0) await context.db.insertInto('issue_labels').values(labelled).execute();
    const closed = rows.filter((row) => row.is_closed && row.number % 10 === 0).length;
    await context.db
      .updateTable('labels')
      .set((row) => ({
        issues_count: row('issues_count', '+', labelled.length),
        closed_issues_count: row('closed_issues_count', '+', closed),
      }))
      .where('id', '=', label.id)
      .execute();
  });
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
