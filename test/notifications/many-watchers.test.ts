import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessOfUsers } from '../../src/access/access-of-users.ts';
import { findRepositoryOf, type Repository } from '../../src/access/find-repository.ts';
import { findUser, findUsersById } from '../../src/access/find-user.ts';
import { repositoryAccess } from '../../src/access/repository-access.ts';
import { mailbox } from '../support/mailbox.ts';
import { testServer } from '../support/server.ts';

const WATCHERS = 1150;
const MAILED = 230;

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>', maxPerHour: -1 },
});
const { db } = t.context;
const alice = await t.user('alice');
const bob = await t.user('bob', { email_notifications: 'disabled' });
await alice.must('POST', '/user/repos', { name: 'demo' });

async function repositoryNamed(ownerName: string, name: string): Promise<Repository> {
  const owner = await findUser(db, ownerName);
  const repository = owner && (await findRepositoryOf(db, owner, name));
  assert.ok(repository);
  return repository;
}

/** As many users as copies of bob, watching; the first few want mails. */
async function seedWatchers(repository: Repository): Promise<void> {
  const { id: _id, ...row } = await db.selectFrom('users').selectAll().where('lower_name', '=', 'bob').executeTakeFirstOrThrow();
  for (let at = 0; at < WATCHERS; at += 50) {
    const copies = Array.from({ length: Math.min(50, WATCHERS - at) }, (_, i) => {
      const name = `watcher${at + i}`;
      const wish: 'enabled' | 'disabled' = at + i < MAILED ? 'enabled' : 'disabled';
      return { ...row, name, lower_name: name, email: `${name}@example.com`, email_notifications: wish };
    });
    const users = await db.insertInto('users').values(copies).returning('id').execute();
    const watches = users.map(({ id }) => ({ repository_id: repository.id, user_id: id, mode: 'normal' as const, created_at: 1 }));
    await db.insertInto('watches').values(watches).execute();
  }
  // The owner watches as well.
  await db
    .updateTable('repositories')
    .set({ watchers_count: WATCHERS + 1 })
    .where('id', '=', repository.id)
    .execute();
}

describe('many watchers', () => {
  it('are notified in batches, each once, with a mail if they want one', async () => {
    const repository = await repositoryNamed('alice', 'demo');
    await seedWatchers(repository);
    await bob.must('POST', '/repos/alice/demo/issues', { title: 'Loud', body: 'To **all**' });
    await t.settled();
    const threads = await db.selectFrom('notifications').select(['user_id', 'status']).where('repository_id', '=', repository.id).execute();
    // Alice watches what is hers.
    assert.equal(threads.length, WATCHERS + 1);
    assert.equal(new Set(threads.map((row) => row.user_id)).size, threads.length);
    const mailed = box.mails.splice(0).map(({ to }) => to[0]);
    assert.equal(new Set(mailed).size, mailed.length);
    assert.equal(mailed.filter((address) => address?.startsWith('watcher')).length, MAILED);
    const feeds = await db
      .selectFrom('activity_feeds')
      .innerJoin('activities', 'activities.id', 'activity_feeds.activity_id')
      .select('activity_feeds.user_id')
      .where('activities.type', '=', 'create_issue')
      .execute();
    assert.equal(new Set(feeds.map((row) => row.user_id)).size, feeds.length);
    assert.equal(feeds.length, WATCHERS + 2);
  });

  it('become unread again by the next event, without users who cannot see it', async () => {
    await db.updateTable('notifications').set({ status: 'read' }).execute();
    await alice.must('PATCH', '/repos/alice/demo', { private: true });
    await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'read' });
    await t.settled();
    const left = await db.selectFrom('watches').innerJoin('users', 'users.id', 'watches.user_id').select('users.name').execute();
    assert.deepEqual(
      left.map(({ name }) => name).filter((name) => name.startsWith('watcher')),
      [],
    );
    const { watchers_count: count } = await alice.must('GET', '/repos/alice/demo');
    assert.equal(count, left.length);
    await db
      .insertInto('watches')
      .columns(['repository_id', 'user_id', 'mode', 'created_at'])
      .expression((watches) =>
        watches
          .selectFrom('users')
          .select((select) => [
            select.lit(1).as('repository_id'),
            'users.id',
            select.val('normal' as const).as('mode'),
            select.lit(1).as('created_at'),
          ])
          .where('users.lower_name', 'like', 'watcher%'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await alice.must('POST', '/repos/alice/demo/issues/1/comments', { body: 'Seen' });
    await t.settled();
    const unread = await db
      .selectFrom('notifications')
      .innerJoin('users', 'users.id', 'notifications.user_id')
      .select('users.name')
      .where('status', '=', 'unread')
      .execute();
    assert.deepEqual(
      unread.map(({ name }) => name),
      ['bob'],
    );
  });
});

describe('the access of many users', () => {
  it('is what each of them has alone', async () => {
    await alice.must('POST', '/orgs', { username: 'acme' });
    await alice.must('POST', '/orgs/acme/repos', { name: 'open' });
    await alice.must('POST', '/orgs/acme/repos', { name: 'closed', private: true });
    for (const [name, team] of [
      ['watcher1', { name: 'all', permission: 'write', includes_all_repositories: true, units: ['repo.code'] }],
      ['watcher2', { name: 'some', permission: 'read', units: ['repo.issues'] }],
      ['watcher3', { name: 'none', permission: 'read', units: ['repo.issues'] }],
      ['watcher4', { name: 'admins', permission: 'admin', includes_all_repositories: true }],
    ] as const) {
      const { id } = await alice.must('POST', '/orgs/acme/teams', team);
      await alice.must('PUT', `/teams/${id}/members/${name}`);
      if (team.name === 'some') for (const repo of ['open', 'closed']) await alice.must('PUT', `/teams/${id}/repos/acme/${repo}`);
    }
    await alice.must('PUT', '/repos/acme/closed/collaborators/watcher5', { permission: 'write' });
    const rows = await db.selectFrom('users').select('id').orderBy('id').limit(30).execute();
    const users = [
      ...(
        await findUsersById(
          db,
          rows.map(({ id }) => id),
        )
      ).values(),
    ].filter(({ type }) => type === 'individual');
    for (const [owner, name] of [
      ['alice', 'demo'],
      ['acme', 'open'],
      ['acme', 'closed'],
    ] as const) {
      const repository = await repositoryNamed(owner, name);
      const together = await accessOfUsers(t.context, repository, users);
      for (const user of users) {
        assert.deepEqual(together.get(user.id), await repositoryAccess(t.context, repository, user), `${user.name} in ${owner}/${name}`);
      }
    }
  });
});
