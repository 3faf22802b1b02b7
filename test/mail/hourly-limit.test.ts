import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HourlyLimit } from '../../src/mail/hourly-limit.ts';
import { queueMail } from '../../src/mail/mail.ts';
import { mailbox } from '../support/mailbox.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

describe('the limit of mails in an hour', () => {
  it('keeps a part for mails about accounts, and is not used up by one receiver', () => {
    const limit = new HourlyLimit(20);
    const sent = (to: (i: number) => string, isAccount: boolean) =>
      Array.from({ length: 30 }, (_, i) => limit.take({ to: to(i), isAccount }, 1000)).filter((wait) => wait === 0).length;
    assert.equal(
      sent(() => 'bob', false),
      5,
    );
    assert.equal(
      sent((i) => `user${i}`, false),
      13,
    );
    assert.equal(
      sent((i) => `user${i}`, true),
      2,
    );
    assert.equal(limit.take({ to: 'late' }, 1000 + 1_800_000), 1800);
    assert.equal(limit.take({ to: 'late' }, 1000 + 3_600_001), 0);
  });

  it('puts mails off without using up their attempts', async () => {
    const box = await mailbox();
    const t = await testServer({
      mail: { enabled: true, host: '127.0.0.1', port: box.port, security: 'none', from: 'Copse <copse@example.com>', maxPerHour: 1 },
    });
    for (const to of ['a@example.com', 'b@example.com']) await queueMail(t.context, { to, subject: 'Hello', text: 'Hello' });
    await t.settled();
    assert.equal(box.mails.length, 1);
    const jobs = await t.context.db.selectFrom('jobs').select(['attempts', 'due_at']).where('type', '=', 'mail.send').execute();
    assert.deepEqual(
      jobs.map(({ attempts, due_at }) => [attempts, due_at > Date.now() / 1000 + 3000]),
      [[0, true]],
    );
  });
});
