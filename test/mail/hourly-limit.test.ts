import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { takeMail } from '../../src/mail/hourly-limit.ts';
import { queueMail } from '../../src/mail/mail.ts';
import { mailbox } from '../support/mailbox.ts';
import { anotherProcess } from '../support/processes.ts';
import { testServer } from '../support/server.ts';

const box = await mailbox();
const t = await testServer({
  mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>', maxPerHour: 1 },
});
const others = await anotherProcess(t.context);
const { db } = t.context;

/** Tries to send 12 mails, every other one by another process; returns how many may be sent. */
async function sent(to: (i: number) => string, isAccount: boolean, limit = 8): Promise<number> {
  const take = (i: number, context: Context) => takeMail(context, { to: to(i), isAccount }, limit);
  const waits = await Promise.all(Array.from({ length: 12 }, (_, i) => take(i, i % 2 === 0 ? t.context : others)));
  return waits.filter((wait) => wait === 0).length;
}

describe('the limit of mails in an hour', () => {
  beforeEach(() => db.deleteFrom('sent_mails').execute());

  it('keeps a part for mails about accounts, and is not used up by one recipient, over several processes', async () => {
    assert.equal(await sent((i) => (i % 3 === 0 ? 'bob@example.com' : 'Bob@Example.com'), false), 2);
    assert.equal(await sent((i) => `user${i}@example.com`, false), 5);
    assert.equal(await sent((i) => `user${i}@example.com`, true), 1);
    assert.equal(await sent(() => 'bob@example.com', true), 0);
  });

  it('says how long the next mail has to wait, and counts none that is older than an hour', async () => {
    assert.equal(await sent((i) => `user${i}@example.com`, true, 1), 1);
    await db
      .updateTable('sent_mails')
      .set((row) => ({ sent_at: row('sent_at', '-', 1_800_000) }))
      .execute();
    const wait = await takeMail(t.context, { to: 'late@example.com' }, 1);
    assert.ok(wait <= 1800 && wait > 1600, String(wait));
    await db
      .updateTable('sent_mails')
      .set((row) => ({ sent_at: row('sent_at', '-', 1_800_000) }))
      .execute();
    assert.equal(await takeMail(t.context, { to: 'late@example.com' }, 1), 0);
    assert.equal((await db.selectFrom('sent_mails').select('id').execute()).length, 1);
  });

  it('lets no mail go where it is 0', async () => {
    assert.equal(await takeMail(t.context, { to: 'bob@example.com', isAccount: true }, 0), 3600);
  });

  it('keeps no addresses', async () => {
    await takeMail(t.context, { to: 'bob@example.com' }, 20);
    const rows = await db.selectFrom('sent_mails').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), /bob/);
  });

  it('puts mails off without using up their attempts', async () => {
    for (const to of ['a@example.com', 'b@example.com']) await queueMail(t.context, { to, subject: 'Hello', text: 'Hello' });
    await t.settled();
    assert.equal(box.mails.length, 1);
    const jobs = await db.selectFrom('jobs').select(['attempts', 'due_at']).where('type', '=', 'mail.send').execute();
    assert.deepEqual(
      jobs.map(({ attempts, due_at }) => [attempts, due_at > Date.now() / 1000 + 3000]),
      [[0, true]],
    );
  });
});
