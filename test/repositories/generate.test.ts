// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expand, safePath } from '../../src/repositories/generate/expand.ts';
import { pathPatterns } from '../../src/repositories/generate/patterns.ts';
import { processorTime } from '../support/processor-time.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
await alice.must('POST', '/user/repos', { name: 'template', template: true, auto_init: true, default_branch: 'trunk' });
const contents = {
  '.gitea/template': '# a remark\nREADME.md\nsrc/**\n[\n',
  'plain.txt': `\${REPO_NAME}`,
  'src/${REPO_NAME_SNAKE}.txt': `$REPO_NAME_PASCAL \${REPO_OWNER} \${NOTHING} $ \${TEMPLATE_NAME_UPPER} $$REPO_NAME $\${REPO_NAME}`,
};
const files = Object.entries(contents).map(([path, text]) => ({
  operation: 'create',
  path,
  content: Buffer.from(text).toString('base64'),
}));
await alice.must('POST', '/repos/alice/template/contents', { files });
await alice.must('PUT', '/repos/alice/template/topics', { topics: ['one', 'two'] });
await alice.must('POST', '/repos/alice/template/labels', { name: 'shiny', color: '#00aabb' });
await alice.must('POST', '/repos/alice/template/branch_protections', { rule_name: 'trunk' });
const generate = (body: object, client = bob) => client.post('/repos/alice/template/generate', { owner: client.name, ...body });

describe('making a repository from a template', () => {
  it('takes the files as one commit, with names and placeholders filled in', async () => {
    const { status, json } = await generate({ name: 'My-app', git_content: true });
    assert.equal(status, 201);
    assert.deepEqual(
      [json.full_name, json.default_branch, json.empty, json.template, json.branch_count],
      ['bob/My-app', 'trunk', false, false, 1],
    );
    const row = await t.context.db.selectFrom('repositories').selectAll().where('id', '=', json.id).executeTakeFirstOrThrow();
    const { path } = t.context.git.locate(row);
    const git = async (...args: string[]) => (await bob.git(['-C', path, ...args], t.folder)).stdout;
    assert.equal(await git('ls-tree', '-r', '--name-only', 'trunk'), 'README.md\nplain.txt\nsrc/my_app.txt\n');
    assert.equal(await git('show', 'trunk:src/my_app.txt'), `MyApp bob NOTHING $ TEMPLATE $REPO_NAME \${REPO_NAME}`);
    assert.equal(await git('show', 'trunk:plain.txt'), `\${REPO_NAME}`);
    assert.equal(await git('log', '--format=%s %an', 'trunk'), 'Initial commit bob\n');
    assert.equal((await bob.git(['-C', path, 'fsck', '--strict'], t.folder)).code, 0);
    assert.equal(row.template_id, (await alice.must('GET', '/repos/alice/template')).id);
  });

  it('names no default branch without the files, until there is one', async () => {
    const branchOf = async (name: string) => (await bob.must('GET', `/repos/bob/${name}`)).default_branch;
    assert.equal((await generate({ name: 'no-files', labels: true })).json.default_branch, '');
    assert.equal((await generate({ name: 'named', labels: true, default_branch: 'release' })).json.default_branch, 'release');
    assert.deepEqual([await branchOf('no-files'), await branchOf('named')], ['', 'release']);
    await bob.must('POST', '/repos/bob/no-files/contents/a.txt', { content: 'YQ==', branch: 'first' });
    assert.equal(await branchOf('no-files'), 'first');
  });

  it('takes the parts asked for', async () => {
    const parts = { topics: true, labels: true, protected_branch: true };
    const made = (await generate({ name: 'parts', private: true, ...parts })).json;
    assert.deepEqual([made.topics, made.private, made.empty], [[], true, true], 'the answer does not tell of topics yet');
    assert.deepEqual((await bob.must('GET', '/repos/bob/parts')).topics, ['one', 'two']);
    const labels = await bob.must('GET', '/repos/bob/parts/labels');
    assert.deepEqual(
      labels.map(({ name }: { name: string }) => name),
      ['shiny'],
    );
    const rules = await bob.must('GET', '/repos/bob/parts/branch_protections');
    assert.deepEqual(
      rules.map(({ rule_name }: { rule_name: string }) => rule_name),
      ['trunk'],
    );
    await generate({ name: 'none', git_content: true });
    assert.deepEqual(await bob.must('GET', '/repos/bob/none/labels'), []);
  });

  it('hides the users in protections from those who do not administer the template', async () => {
    const lists = { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['alice'] };
    await alice.must('PATCH', '/repos/alice/template/branch_protections/trunk', lists);
    const whitelist = async (client: typeof alice) => {
      assert.equal((await generate({ name: 'rules', protected_branch: true }, client)).status, 201);
      const [rule] = await client.must('GET', `/repos/${client.name}/rules/branch_protections`);
      return [rule.enable_push_whitelist, rule.push_whitelist_usernames];
    };
    assert.deepEqual(await whitelist(alice), [true, ['alice']]);
    assert.deepEqual(await whitelist(bob), [true, []]);
  });

  it('is refused where it cannot be', async () => {
    const status = async (body: object) => (await generate(body)).status;
    assert.equal(await status({ name: 'x' }), 422);
    assert.equal(await status({ name: 'parts', topics: true }), 409);
    assert.equal(await status({ name: 'x', topics: true, owner: 'alice' }), 403);
    assert.deepEqual((await generate({ name: 'x', topics: true, owner: 'nobody' })).json, {
      error: 'request owner `nobody` does not exist',
    });
    assert.equal(await status({ name: 'x', git_content: true, default_branch: '-x' }), 422);
    assert.equal((await bob.post('/repos/bob/parts/generate', { owner: 'bob', name: 'x', topics: true })).status, 422);
    await alice.must('PATCH', '/repos/alice/template', { private: true });
    assert.equal(await status({ name: 'x', topics: true }), 404);
    assert.equal((await bob.get('/repos/bob/x')).status, 404);
  });
});

describe('a template whose placeholders would make a file that git refuses to receive', () => {
  it('makes no repository', async () => {
    await alice.must('POST', '/user/repos', { name: 'harmful', template: true, auto_init: true });
    const file = (path: string, text: string) => ({ operation: 'create', path, content: Buffer.from(text).toString('base64') });
    const modules = `[submodule "a"]\n\tpath = a\n\turl = \${REPO_DESCRIPTION}\n`;
    await alice.must('POST', '/repos/alice/harmful/contents', { files: [file('.gitea/template', '**\n'), file('.gitmodules', modules)] });
    const { status, json } = await bob.post('/repos/alice/harmful/generate', {
      owner: 'bob',
      name: 'victim',
      description: '-u./payload',
      git_content: true,
    });
    assert.deepEqual([status, json.message], [422, 'disallowed submodule url: -u./payload [path: .gitmodules]']);
    assert.equal((await bob.get('/repos/bob/victim')).status, 404);
  });
});

describe('placeholders', () => {
  it('leave paths inside the tree', () => {
    assert.equal(safePath('a/../../.git/config'), 'a/__/__/_git/config');
    assert.equal(safePath('/.GIT/./con/x\u0000y:z'), '_GIT/_/x_y_z');
    assert.equal(expand(`$A \${A}B $`, new Map([['A', '$B']])), '$B $BB $');
  });

  it('are filled in where the patterns say so', () => {
    const matches = pathPatterns('*.md\nsrc/**/x?.[ch]\n{a,b}.txt\n#c\n[open\n{open\n');
    for (const path of ['a.md', 'src/y/x1.c', 'b.txt']) assert.equal(matches(path), true, path);
    for (const path of ['d/a.md', 'src/x1.c', 'c.txt', '#c', 'src/y/x1.d', '[open', '{open']) assert.equal(matches(path), false, path);
  });

  it('patterns that would run for minutes do not', async () => {
    const matches = pathPatterns(`${'*a'.repeat(200)}\n${'(a+)+$'.repeat(20)}`);
    const time = await processorTime(() => matches('a'.repeat(5000)));
    assert.ok(time < 2000, `${time} ms`);
  });
});
