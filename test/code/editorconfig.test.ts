import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEditorConfig, rulesFor } from '../../src/code/editorconfig/editorconfig.ts';
import { matchesGlob } from '../../src/code/editorconfig/glob.ts';
import { GlobLimitError } from '../../src/code/editorconfig/glob-work.ts';
import { processorTime } from '../support/processor-time.ts';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');

describe('patterns', () => {
  it('mean what the specification says', () => {
    for (const [pattern, path, matches] of [
      ['/*.js', '/a.js', true],
      ['/*.js', '/b/a.js', false],
      ['/**.js', '/b/a.js', true],
      ['/**/a.js', '/a.js', true],
      ['/**/a.js', '/x/y/a.js', true],
      ['/**/a.js', '/xa.js', false],
      ['/a?c', '/abc', true],
      ['/a?c', '/a/c', false],
      ['/[ab].c', '/b.c', true],
      ['/[!ab].c', '/b.c', false],
      ['/[!ab].c', '/c.c', true],
      ['/[a-c0-9]x', '/7x', true],
      ['/[a-c]x', '/dx', false],
      ['/[a/b]', '/[a/b]', true],
      ['/[open', '/[open', true],
      ['/*.{js,ts}', '/x.ts', true],
      ['/*.{js,ts}', '/x.rs', false],
      ['/{a,{b,c}d}', '/cd', true],
      ['/{a,{b,c}d}', '/b', false],
      ['/{single}', '/{single}', true],
      ['/{,x}a', '/a', true],
      ['/{open', '/{open', true],
      ['/f{1..12}', '/f12', true],
      ['/f{1..12}', '/f13', false],
      ['/f{12..1}x', '/f3x', true],
      ['/f{-2..2}', '/f-1', true],
      ['/f{1..3}', '/f02', false],
      ['/a\\*', '/a*', true],
      ['/a\\*', '/ab', false],
      ['/\\{a,b\\}', '/{a,b}', true],
    ] as const) {
      assert.equal(matchesGlob(pattern, path), matches, `${pattern} ${path}`);
    }
  });

  it('take no longer than they are granted', () => {
    const path = `/${'a'.repeat(2000)}`;
    for (const pattern of [`/${'*a'.repeat(200)}b?`, `/${'{a,aa,*}'.repeat(200)}b?`, `/${'**a'.repeat(1300)}?`]) {
      assert.throws(() => matchesGlob(pattern, path), GlobLimitError);
    }
    assert.equal(matchesGlob(`/${'{'.repeat(1500)}${',a}'.repeat(800)}`, path), false);
    assert.equal(matchesGlob(`/${'[['.repeat(1500)}`, path), false);
  });
});

describe('a file of rules', () => {
  it('is read with its comments, quirks and all', () => {
    const sections = parseEditorConfig(
      '\ufeffroot = true\nindent_size = 1\n; no\n# no\n[*]\r\nIndent_Style: TAB\nindent_size = 4 ; four\n[*.md]\nend_of_line=CRLF\ncharset = UTF-8\n\n[]\nnonsense\n=x\n',
    );
    assert.deepEqual(rulesFor(sections, 'a.md'), { indent_style: 'tab', indent_size: '4', end_of_line: 'crlf', charset: 'utf-8' });
    assert.deepEqual(rulesFor(sections, 'a.txt'), { indent_style: 'tab', indent_size: '4' });
    assert.deepEqual(rulesFor(parseEditorConfig('[x]\nindent_size=2'), 'a'), {});
  });

  it('is returned by the API, for the requested revision', async () => {
    const { path, id } = await codeRepository(t, alice, 'demo', [
      { label: 'without', files: { a: 'a' } },
      { label: 'with', files: { '.editorconfig': '[*]\nindent_size = 4\n[src/*.js]\nindent_size = 2\n[Makefile]\nindent_style = tab\n' } },
    ]);
    assert.deepEqual((await t.anonymous.get(`${path}/editorconfig/Makefile`)).json, { indent_style: 'tab', indent_size: '4' });
    assert.deepEqual((await alice.get(`${path}/editorconfig/src%2Fx.js?ref=main`)).json, { indent_size: '2' });
    const { status, json } = await alice.get(`${path}/editorconfig/a?ref=${id('without')}`);
    assert.deepEqual([status, json.errors], [404, ['object does not exist [id: , rel_path: .editorconfig]']]);
  });

  it('is read in time that grows with its length, however many blanks and sections it has', async () => {
    const time = await processorTime(() => {
      parseEditorConfig(`[*]\na${' '.repeat(80_000)}b`);
      assert.throws(() => rulesFor(parseEditorConfig('[*]\n'.repeat(30_000)), 'a'), GlobLimitError);
      assert.throws(() => rulesFor(parseEditorConfig(`[${'{'.repeat(4000)}]\n`.repeat(30)), 'a'), GlobLimitError);
    });
    assert.ok(time < 3000, `${time} ms`);
  });

  it('is refused when its patterns take too long for a name', async () => {
    const { path } = await codeRepository(t, alice, 'slow', [
      { label: 'x', files: { '.editorconfig': `[${'**a'.repeat(1300)}*]\nindent_size=2\n`.repeat(3) } },
    ]);
    const { status, json } = await t.anonymous.get(`${path}/editorconfig/${'a'.repeat(3000)}b`);
    assert.deepEqual([status, json.message], [422, '.editorconfig: the patterns take too long']);
    assert.equal((await t.anonymous.get(`${path}/editorconfig/a`)).status, 200);
  });

  it('is not read when it is too large', async () => {
    const { path } = await codeRepository(t, alice, 'large', [
      { label: 'x', files: { '.editorconfig': `[*]\nindent_size=2\n#${'x'.repeat(600_000)}` } },
    ]);
    assert.equal((await alice.get(`${path}/editorconfig/a`)).status, 404);
  });
});

describe('a repository without a commit', () => {
  it('says so also to those who read no code in it', async () => {
    const { path } = await codeRepository(t, alice, 'without', []);
    const full = await codeRepository(t, alice, 'full', [{ label: 'x', files: { a: 'a' } }]);
    for (const one of [path, full.path]) await alice.must('PATCH', one, { has_code: false });
    const reader = await t.user('reader');
    for (const what of ['raw/a', 'media/a', 'editorconfig/a']) {
      const { status, json } = await reader.get(`${path}/${what}`);
      assert.deepEqual([status, json.message], [404, 'repository is empty'], what);
      assert.equal((await reader.get(`${full.path}/${what}`)).status, 403, what);
    }
  });
});
