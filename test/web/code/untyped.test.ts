// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer();
let sha = '';
before(async () => {
  await t.admin.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  await t.admin.must('POST', '/user/repos', { name: 'closed', auto_init: true, private: true });
  await t.admin.must('POST', '/repos/admin/demo/branches', { new_branch_name: 'feature/x' });
  await t.admin.must('POST', '/repos/admin/demo/tags', { tag_name: 'v1' });
  sha = (await t.admin.must('GET', '/repos/admin/demo/branches/main')).commit.id;
});

/** Where a path leads, from one redirect to the next. */
async function leads(path: string): Promise<string[]> {
  const { status, headers } = await new Browser(t.url).send('GET', path);
  const location = headers.get('location');
  return status === 303 && location ? [location, ...(await leads(location))] : [String(status)];
}

describe('URLs of places in the code that do not name the kind of the ref', () => {
  it('lead to those that do', async () => {
    assert.deepEqual(await leads('/admin/demo/src/main'), ['/admin/demo/src/branch/main', '200']);
    assert.deepEqual(await leads('/admin/demo/src/feature/x/README.md'), ['/admin/demo/src/branch/feature/x/README.md', '200']);
    assert.deepEqual(await leads('/admin/demo/src/v1'), ['/admin/demo/src/tag/v1', '200']);
    assert.deepEqual(await leads(`/admin/demo/src/${sha}`), [`/admin/demo/src/commit/${sha}`, '200']);
    assert.deepEqual(await leads('/admin/demo/src/README.md'), ['/admin/demo/src/branch/main/README.md', '200']);
    assert.deepEqual(await leads('/admin/demo/commits/v1'), ['/admin/demo/commits/tag/v1', '200']);
    assert.deepEqual(await leads('/admin/demo/src'), ['/admin/demo', '200']);
  });

  it('may be those of other hosts', async () => {
    assert.deepEqual(await leads('/admin/demo/tree/main?a=b'), ['/admin/demo/src/main?a=b', '/admin/demo/src/branch/main', '200']);
    assert.deepEqual(await leads(`/admin/demo/blob/${sha}/README.md`), [`/admin/demo/src/commit/${sha}/README.md`, '200']);
    const [first, ...more] = await leads('/admin/demo/blob/main/README.md');
    assert.deepEqual([first, more], ['/admin/demo/src/main/README.md', ['/admin/demo/src/branch/main/README.md', '200']]);
  });

  it('are not found where the repository is hidden', async () => {
    for (const path of ['src', 'src/main', 'commits/main', 'tree/main', 'blob/main/README.md']) {
      assert.deepEqual(await leads(`/admin/closed/${path}`), ['404'], path);
    }
  });
});
