import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { deleteOldNotices } from '../../../src/admin/notices/notices.ts';
import { recordNotice } from '../../../src/database/notices.ts';
import { TaskSchedule } from '../../../src/jobs/schedule.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const { context } = t;
const alice = await t.user('alice');
await t.user('chief');
await t.admin.must('PATCH', '/admin/users/chief', { login_name: 'chief', source_id: 0, admin: true });
const PAGE = '/-/admin/notices';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const [browser, chief] = [await signedIn('alice'), await signedIn('chief')];
const rows = () => context.db.selectFrom('notices').selectAll().orderBy('id').execute();
const note = (text: string) => recordNotice(context, { kind: 'mirror', subject: 'alice/<b>box', text });

describe('notices', () => {
  it('say which regular task failed, once for each failure, and count', async () => {
    const schedule = new TaskSchedule();
    schedule.work('update_checker', async () => {
      throw new Error('no <i>answer');
    });
    for (const _ of [1, 2]) await schedule.run(context, 'update_checker');
    const [notice, ...others] = await rows();
    assert.deepEqual([notice?.kind, notice?.subject, notice?.count, others], ['task', 'update_checker', 2, []]);
    const { text } = await chief.get(PAGE);
    assert.ok(text.includes('no &lt;i&gt;answer') && text.includes('2 times'));
    await note('zero\0 and \ud800 half');
    assert.equal((await rows())[1]?.text, 'zero and \ufffd half');
  });

  it('are deleted one by one, all that were shown, and when they are old', async () => {
    const page = await chief.get(PAGE);
    const [first] = await rows();
    assert.equal((await chief.submit(page, { id: String(first?.id) }, `${PAGE}/delete`)).location, PAGE);
    assert.equal((await rows()).length, 1);
    assert.equal((await chief.submit(page, { id: '999' }, `${PAGE}/delete`)).status, 422);
    await context.db.updateTable('notices').set({ updated_at: 4_000_000_000 }).execute();
    await note('seen');
    assert.equal((await chief.submit(await chief.get(PAGE), {}, `${PAGE}/empty`)).location, PAGE);
    assert.deepEqual(
      (await rows()).map(({ text }) => text),
      ['zero and \ufffd half'],
      'what came after the page stays',
    );
    await context.db.updateTable('notices').set({ updated_at: 1 }).execute();
    await deleteOldNotices(context);
    assert.deepEqual(await rows(), []);
  });

  it('are for administrators', async () => {
    assert.equal((await browser.get(PAGE)).status, 403);
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await browser.get('/user/settings')).text) ?? [];
    for (const form of ['delete', 'empty'])
      assert.equal((await browser.send('POST', `${PAGE}/${form}`, { fields: { _token: token, id: '1' } })).status, 403, form);
  });
});

describe('unadopted repositories of an account', () => {
  const page = '/user/settings/repos';
  const lay = async (name: string): Promise<string> => {
    const path = join(context.git.root, name);
    await mkdir(dirname(path), { recursive: true });
    await alice.git(['init', '-q', '--bare', path], t.folder);
    return path;
  };

  it('are adopted and deleted by administrators, under their own name alone', async () => {
    const [kept, gone, foreign] = [await lay('chief/kept.git'), await lay('chief/gone.git'), await lay('alice/foreign.git')];
    const shown = await chief.get(page);
    assert.ok(shown.text.includes('<code>kept</code>') && !shown.text.includes('foreign'));
    assert.equal((await chief.submit(shown, { id: 'kept', action: 'adopt' }, `${page}/unadopted`)).location, page);
    assert.equal((await chief.submit(shown, { id: 'gone', action: 'delete' }, `${page}/unadopted`)).location, page);
    assert.deepEqual([existsSync(kept), existsSync(gone)], [false, false]);
    assert.equal((await t.admin.must('GET', '/repos/chief/kept')).private, true);
    for (const id of ['alice/foreign', '../alice/foreign', 'foreign'])
      assert.equal(
        (await chief.send('POST', `${page}/unadopted`, { fields: { ...tokenOf(shown.text), id, action: 'adopt' } })).status,
        422,
        id,
      );
    assert.ok(existsSync(foreign));
  });

  it('are none of a user’s business unless the settings say so', async () => {
    const shown = await browser.get(page);
    assert.ok(!shown.text.includes('foreign'));
    const sent = { ...tokenOf((await browser.get('/user/settings')).text), id: 'foreign', action: 'adopt' };
    assert.equal((await browser.send('POST', `${page}/unadopted`, { fields: sent })).status, 422);
    assert.equal((await alice.get('/repos/alice/foreign')).status, 404);
  });

  function tokenOf(text: string): Record<string, string> {
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec(text) ?? [];
    return { _token: token };
  }
});
