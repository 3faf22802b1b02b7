import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import { getLicense } from '../../src/instance/templates/licenses.ts';
import { TemplateError } from '../../src/repositories/issue-templates/error.ts';
import { readTemplate } from '../../src/repositories/issue-templates/read-template.ts';
import { detectLicenses } from '../../src/repositories/statistics/licenses.ts';
import { countStatistics } from '../../src/repositories/statistics/statistics.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, license: 'MIT' });
const put = async (files: Record<string, string>) => {
  const changes = Object.entries(files).map(([path, text]) => ({
    operation: 'create',
    path,
    content: Buffer.from(text).toString('base64'),
  }));
  await alice.must('POST', '/repos/alice/demo/contents', { files: changes });
};

describe('languages and licenses', () => {
  it('are those of the default branch, updated after pushes', async () => {
    assert.deepEqual(await alice.must('GET', '/repos/alice/demo/licenses'), ['MIT']);
    await put({ 'a.go': 'package main\n\nfunc main() {}\n', 'b.py': 'x = 1\n' });
    const { id } = await alice.must('GET', '/repos/alice/demo');
    const signal = new AbortController();
    await countStatistics({ repositoryId: id }, t.context, signal);
    const languages = await t.anonymous.must('GET', '/repos/alice/demo/languages');
    assert.deepEqual(Object.entries(languages), [
      ['Go', 29],
      ['Python', 6],
    ]);
    const { language, licenses } = await alice.must('GET', '/repos/alice/demo');
    assert.deepEqual([language, licenses], ['Go', ['MIT']]);
  });

  it('are not counted by a job that was aborted', async () => {
    const { id } = await alice.must('GET', '/repos/alice/demo');
    const signal = AbortSignal.abort(new Error('the process stops'));
    await assert.rejects(countStatistics({ repositoryId: id }, t.context, { signal }), /the process stops/);
  });

  it('are shown where repositories are asked for themselves, not with other things', async () => {
    const { id } = await alice.must('GET', '/repos/alice/demo');
    const shown = async (path: string) => {
      const { json } = await alice.get(path);
      const list: { full_name: string; language: string }[] = json.data ?? (Array.isArray(json) ? json : [json]);
      return list.find(({ full_name: name }) => name === 'alice/demo')?.language;
    };
    await alice.must('PUT', '/user/starred/alice/demo');
    for (const path of ['/user/repos', '/users/alice/repos', '/repos/search?q=demo']) assert.equal(await shown(path), 'Go', path);
    for (const path of [`/repositories/${id}`, '/user/starred', '/user/subscriptions']) assert.equal(await shown(path), '', path);
    assert.equal((await alice.must('PATCH', '/repos/alice/demo', { description: 'x' })).language, '');
  });

  it('are detected from the text, for any copyright holder', async () => {
    for (const key of ['MIT', 'Apache-2.0', 'GPL-3.0', 'BSD-3-Clause', 'MPL-2.0', 'Unlicense', 'ISC', 'AGPL-3.0']) {
      const text = getLicense(key) ?? '';
      assert.deepEqual(await detectLicenses(text.replaceAll('\n', '\r\n ')), [key]);
      assert.deepEqual(await detectLicenses(`${key} License\n\nCopyright (c) 2031 Somebody Else\n\n${text}`), [key]);
    }
    const both = ['MIT', 'Apache-2.0'].map((key) => getLicense(key) ?? '');
    assert.deepEqual(await detectLicenses(both.join('\n\n')), ['Apache-2.0', 'MIT']);
    assert.deepEqual(await detectLicenses(both.reverse().join('\n\n-----\n\n')), ['Apache-2.0', 'MIT']);
    assert.deepEqual(await detectLicenses('All rights reserved.'), []);
    assert.deepEqual(await detectLicenses(''), []);
    assert.deepEqual(await detectLicenses('word '.repeat(100_000)), []);
  });
});

describe('issue templates', () => {
  it('are read from Markdown and forms of the default branch', async () => {
    assert.equal((await alice.get('/repos/alice/demo/issue_templates')).text, 'null\n');
    await put({
      '.gitea/ISSUE_TEMPLATE/bug.md': '---\nname: Bug\nabout: It broke\nlabels: "a, b"\nref: main\n---\nTell\n',
      '.github/ISSUE_TEMPLATE/form.yaml': 'name: Form\ndescription: Ask\nbody:\n  - type: input\n    id: x\n    attributes: {label: X}\n',
      '.github/ISSUE_TEMPLATE/bad.yaml': 'name: [',
      '.github/ISSUE_TEMPLATE/config.yml': 'blank_issues_enabled: false\n',
    });
    const { json, headers } = await t.anonymous.get('/repos/alice/demo/issue_templates');
    assert.equal(headers.get('x-gitea-warning'), 'error occurs when parsing issue template: count=1');
    assert.deepEqual(
      json.map(({ name, about, labels, ref, content, body }: Record<string, unknown>) => ({
        name,
        about,
        labels,
        ref,
        content,
        fields: body !== null,
      })),
      [
        { name: 'Bug', about: 'It broke', labels: ['a', 'b'], ref: 'refs/heads/main', content: 'Tell\n', fields: false },
        { name: 'Form', about: 'Ask', labels: null, ref: 'refs/heads/', content: '', fields: true },
      ],
    );
    assert.deepEqual(await alice.must('GET', '/repos/alice/demo/issue_config'), { blank_issues_enabled: false, contact_links: [] });
    assert.deepEqual(await alice.must('GET', '/repos/alice/demo/issue_config/validate'), { valid: true, message: '' });
  });

  it('that are wrong say where', () => {
    const form = (body: string) => () => readTemplate('x/y.yaml', `name: N\nabout: A\nbody:\n${body}`);
    const refused = (body: string, message: RegExp) =>
      assert.throws(form(body), (error) => error instanceof TemplateError && message.test(error.message));
    refused('  - type: slider\n', /body\[0\]\(slider\): unknown type/);
    refused('  - type: input\n    attributes: {}\n', /'label' is required/);
    refused('  - {type: input, id: "a b", attributes: {label: x}}\n', /alphanumeric/);
    refused('  - {type: input, id: a, attributes: {label: x}}\n  - {type: input, id: a, attributes: {label: y}}\n', /body\[1\].*unique/);
    refused('  - {type: dropdown, attributes: {label: x, options: []}}\n', /'options' is required/);
    refused('  - {type: dropdown, attributes: {label: x, options: [a], default: 3}}\n', /out of range/);
    refused('  - {type: checkboxes, attributes: {label: x, options: [{label: a, required: yes please}]}}\n', /should be a bool/);
    refused('  - {type: input, attributes: {label: x}, visible: [content], validations: {required: true}}\n', /hidden field/);
    refused('  - 5\n', /unknown type/);
    assert.equal(readTemplate('x/plain.md', 'just text').name, 'plain.md');
    assert.throws(() => readTemplate('x/y.md', '---\nabout: A\n---\n'), TemplateError);
  });

  it('keep the words that say where a field is shown, known or not', () => {
    const form = (body: string) => readTemplate('x/y.yaml', `name: N\nabout: A\nbody:\n${body}`).body?.[0]?.visible;
    assert.deepEqual(form('  - {type: input, attributes: {label: x}, visible: [web]}\n'), ['web']);
    const box = '  - {type: checkboxes, attributes: {label: x, options: [{label: a, visible: [web]}]}}\n';
    assert.throws(() => form(box), /'visible' list can only contain/);
  });

  it('are read off the main thread, in bounded time, and once', async () => {
    const { owner, folder } = { owner: '/repos/alice/heavy', folder: '.gitea/ISSUE_TEMPLATE' };
    await alice.must('POST', '/user/repos', { name: 'heavy', auto_init: true });
    const keys = Array.from({ length: 4000 }, (_, at) => `k${at}:`).join(',');
    const files = [
      { operation: 'create', path: `${folder}/config.yaml`, content: btoa(`{${keys}}`) },
      { operation: 'create', path: `${folder}/a.yaml`, content: btoa(']'.repeat(32_000)) },
      { operation: 'create', path: `${folder}/b.yaml`, content: btoa(`{a: b, ${keys},c: d}`.repeat(2)) },
      { operation: 'create', path: `${folder}/c.yaml`, content: btoa('name: C\nname: D\nabout: A\n') },
    ];
    await alice.must('POST', `${owner}/contents`, { files, message: 'm' });
    await t.anonymous.get(owner);
    const held = monitorEventLoopDelay({ resolution: 5 });
    held.enable();
    assert.deepEqual((await t.anonymous.get(`${owner}/issue_config/validate`)).json, { valid: true, message: '' });
    const { headers } = await t.anonymous.get(`${owner}/issue_templates`);
    assert.equal(headers.get('x-gitea-warning'), 'error occurs when parsing issue template: count=3');
    held.disable();
    assert.ok(held.max < 1e9, `${held.max / 1e6} ms`);
  });

  it('can repeat values by aliases and merge mappings', () => {
    const field = (id: string, more: string) => `  - {type: input, id: ${id}, attributes: {label: ${id}}, validations: ${more}}\n`;
    const text = `name: N\nabout: A\nbody:\n${field('a', '&must {required: true}')}${field('b', '*must')}${field('c', '{<<: *must, is_number: true}')}`;
    const must = { required: true };
    assert.deepEqual(
      readTemplate('x/y.yaml', text).body?.map(({ validations }) => validations),
      [must, must, { ...must, is_number: true }],
    );
    assert.throws(() => readTemplate('x/y.yaml', 'name: N\nabout: A\nbody: &b [*b]\n'), TemplateError);
  });

  it('bombs of aliases and nesting are refused', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replace(/./g, (key, i) => `${key}: &${key} [${`*${'abcdefgh'[i]},`.repeat(9)}]\n`)}name: N\nabout: A\nbody: *i\n`;
    assert.throws(() => readTemplate('x/y.yaml', bomb), TemplateError);
    assert.throws(() => readTemplate('x/y.yaml', `name: ${'['.repeat(100_000)}`), TemplateError);
  });
});

describe('pictures of repositories', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('are served under an address of their own until they are replaced', async () => {
    assert.equal((await alice.get('/repos/alice/demo')).json.avatar_url, '');
    await alice.must('POST', '/repos/alice/demo/avatar', { image: PNG });
    const { avatar_url: url } = await alice.must('GET', '/repos/alice/demo');
    const path = `/${new URL(url).pathname}`;
    const picture = await t.anonymous.get(path);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
    assert.equal((await bob.delete('/repos/alice/demo/avatar')).status, 403);
    await alice.must('DELETE', '/repos/alice/demo/avatar');
    assert.equal((await t.anonymous.get(path)).status, 404);
    assert.equal((await alice.post('/repos/alice/demo/avatar', { image: btoa('a text') })).status, 422);
    assert.equal((await alice.post('/repos/alice/demo/avatar', { image: '!' })).status, 400);
  });

  it('go with the repository', async () => {
    await alice.must('POST', '/repos/alice/demo/avatar', { image: PNG });
    const { avatar_url: url } = await alice.must('GET', '/repos/alice/demo');
    await alice.must('DELETE', '/repos/alice/demo');
    await t.settled();
    assert.equal((await t.anonymous.get(`/${new URL(url).pathname}`)).status, 404);
  });
});
