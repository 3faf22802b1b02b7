import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'told', auto_init: true, default_branch: 'main' });

describe('the Go tool', () => {
  it('is told the location of a module, also of what does not exist', async () => {
    for (const name of ['told', 'no-such-thing']) {
      const { text } = await t.anonymous.get(`//alice/${name}?go-get=1`);
      assert.ok(text.includes(`${t.url.replace('http://', '')}alice/${name} git ${t.url}alice/${name}.git"`), text);
      assert.ok(text.includes(` _ ${t.url}alice/${name}/src/branch/main{/dir} `), text);
    }
    assert.ok(!(await t.anonymous.get('//a"><script>x/y?go-get=1')).text.includes('<script>'));
  });

  it('is told the same for every folder, which could be a module as well', async () => {
    const root = (await t.anonymous.get('//alice/told?go-get=1')).text;
    for (const path of ['sub', 'src/deep', 'told.git/info/refs', 'issues']) {
      const { status, text } = await t.anonymous.get(`//alice/told/${path}?go-get=1`);
      assert.deepEqual([status, text], [200, root], path);
    }
    assert.equal((await t.anonymous.get('/repos/alice/none?go-get=1')).status, 404);
  });
});
