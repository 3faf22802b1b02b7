import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hash } from '@node-rs/bcrypt';
import { findApplication } from '../../../src/accounts/oauth2/applications.ts';
import { isClientSecret } from '../../../src/accounts/oauth2/client-secrets.ts';
import { BusyError } from '../../../src/concurrency/semaphore.ts';
import { testServer } from '../../support/server.ts';
import { newApp } from './applications.ts';

const t = await testServer();

it('few secrets with an imported hash are checked at one time', async () => {
  const { client_id } = await newApp(await t.user('alice'));
  const secret_hash = await hash('right', 4);
  await t.context.db.updateTable('oauth2_applications').set({ secret_hash }).where('client_id', '=', client_id).execute();
  const application = await findApplication(t.context.db, client_id);
  assert.ok(application);
  const check = (secret: string) => isClientSecret(t.context, application, secret);
  const checks = await Promise.allSettled(Array.from({ length: 50 }, () => check('wrong')));
  const refused = checks.filter((check) => check.status === 'rejected');
  assert.ok(refused.length > 0 && refused.every(({ reason }) => reason instanceof BusyError), `${refused.length}`);
  assert.ok(checks.every((check) => check.status === 'rejected' || !check.value));
  assert.equal(await check('right'), true);
});
