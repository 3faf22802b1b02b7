// On SQLite alone: what this asks of the database is plain, or asked of both by others.
// In a process of its own: it takes git out of the path.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkHealth } from '../../src/instance/health/checks.ts';
import type { Settings } from '../../src/settings.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const read = () => t.anonymous.get('//api/healthz');

describe('the health check', () => {
  it('reports the whole and each part', async () => {
    const { status, json } = await read();
    assert.deepEqual([status, json.description], [200, 'Copse']);
    assert.deepEqual(Object.keys(json.checks).sort(), ['database:ping', 'disk:space', 'git:program']);
    assert.deepEqual(Object.keys(json.checks['database:ping'][0]).sort(), ['status', 'time']);
  });

  it('warns of a disk that is nearly full, and fails with one that is full', async () => {
    const { settings } = t.context;
    const withDisk = (instance: Partial<Settings['instance']>) =>
      checkHealth({ ...t.context, settings: { ...settings, instance: { ...settings.instance, diskMinimum: 0, ...instance } } });
    const nearly = await withDisk({ diskWarning: 2 ** 62 });
    assert.deepEqual([nearly.status, nearly.checks['disk:space']?.[0]?.output], ['warn', 'a disk of the data is nearly full']);
    assert.equal((await withDisk({ diskMinimum: 2 ** 62 })).status, 'fail');
    assert.equal((await withDisk({ diskWarning: 0 })).status, 'pass');
    const gone = { ...settings, storage: { ...settings.storage, path: '/nonexistent/storage' } };
    assert.equal((await checkHealth({ ...t.context, settings: gone })).status, 'fail');
  });

  it('fails while git is missing, and Git requests say so', async () => {
    await t.admin.must('POST', '/user/repos', { name: 'demo', auto_init: true });
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      const { status, json } = await read();
      assert.deepEqual([status, json.status, json.checks['git:program'][0].status], [503, 'fail', 'fail']);
      // A restart would not help.
      assert.equal((await t.anonymous.get('//api/livez')).status, 200);
      const refs = await t.admin.get('//admin/demo.git/info/refs?service=git-receive-pack');
      assert.deepEqual([refs.status, refs.json.message], [503, 'git is not available on the server']);
    } finally {
      process.env.PATH = PATH;
    }
    assert.equal((await read()).json.checks['git:program'][0].status, 'pass');
  });
});
