// On SQLite alone: what files look like comes from git.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { run as tableOf } from '../../../src/web/code/file/table-task.ts';
import { markHidden } from '../../../src/web/code/source/hidden-characters.ts';
import { markLookAlikes } from '../../../src/web/code/source/look-alikes.ts';
import { run as symbolsOf } from '../../../src/web/code/symbols/symbol-task.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const EVIL = '<img src=x onerror=alert(1)>';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const commit = async (files: object[], message = 'Change', more: object = {}): Promise<string> =>
  String((await alice.must('POST', '/repos/alice/code/contents', { branch: 'main', message, files, ...more })).commit.sha);
const create = (path: string, content: string | Buffer) => ({ operation: 'create', path, content: base64(content) });
const first = await commit([
  create('hidden.js', 'const a = "x\u202e y";\n'),
  // The first letter of `pay` is Cyrillic.
  create('like.js', 'const \u0440ay = 1 < 2; // \u041f\u043e\u043a\u0430\n'),
  create('a.py', 'class A:\n    def run(self):\n        pass\n\ndef main():\n    pass\n'),
  create('t.csv', `name,value\n${EVIL},"1,5"\n`),
  create('p.png', PNG),
  create('real.pdf', '%PDF-1.4\n'),
  create('false.pdf', `<script>alert(1)</script>${'x'.repeat(2000)}`),
]);
const { sha } = await alice.must('GET', '/repos/alice/code/contents/p.png');
const people = { committer: { name: 'Carol', email: 'carol@example.com' } };
const second = await commit([{ operation: 'update', path: 'p.png', sha, content: base64(Buffer.concat([PNG, PNG])) }], 'Draw', people);
await t.settled();
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const page = async (path: string) => (await browser.get(`/alice/code/${path}`)).text;

describe('a file', () => {
  it('with hidden characters has a warning, and marks that can be taken away', async () => {
    const text = await page('src/branch/main/hidden.js');
    assert.match(text, /hidden or bidirectional Unicode characters[\s\S]*<bdi class="hidden-char" data-code="U\+202E">/);
    assert.match(await page('src/branch/main/hidden.js?escape=false'), /class="plain-hidden"/);
    assert.ok(!(await page('src/branch/main/a.py')).includes('hidden-char'));
    assert.match(await page(`commit/${first}`), /data-code="U\+202E"/);
  });

  it('with characters that look like others has a warning, and marks', async () => {
    const text = await page('src/branch/main/like.js');
    assert.match(text, /look like Latin letters[\s\S]*<span class="like-char" title="U\+0440 ≠ p">\u0440<\/span>ay/);
    assert.equal(text.match(/"like-char"/g)?.length, 1);
    assert.ok(!(await page('src/branch/main/a.py')).includes('look like Latin'));
    assert.match(await page(`commit/${first}`), /title="U\+0440 ≠ p"/);
  });

  it('leads to the names that it defines, and to what can be done with lines', async () => {
    const text = await page('src/branch/main/a.py');
    assert.match(text, /3 symbols[\s\S]*href="#L1"[\s\S]*class="depth-1"><a href="#L2">[\s\S]*href="#L5"/);
    assert.match(text, new RegExp(`data-permalink="/alice/code/src/commit/${second}/a.py"`));
  });

  it('of values is a table, or text', async () => {
    const text = await page('src/branch/main/t.csv');
    assert.match(text, /<th scope="col">name<\/th>[\s\S]*<td>&lt;img src=x onerror=alert\(1\)&gt;<\/td><td>1,5<\/td>/);
    assert.match(await page('src/branch/main/t.csv?display=source'), /class="source chroma"/);
  });

  it('that is a PDF is shown by the viewer of the browser, on that page alone, and what only has its name as text', async () => {
    const shown = await browser.get('/alice/code/src/branch/main/real.pdf');
    const url = '/alice/code/raw/branch/main/real.pdf';
    assert.match(
      shown.text,
      new RegExp(`<object type="application/pdf" data="${url}"[^>]*><p>[^<]+</p><p><a class="button" href="${url}">`),
    );
    const policy = ({ headers }: { headers: Headers }) => headers.get('content-security-policy') ?? '';
    assert.match(policy(shown), /default-src 'none'[\s\S]*object-src 'self'; frame-src 'self';/);
    const served = await browser.get(url);
    assert.deepEqual(
      [served.headers.get('content-type'), policy(served), served.headers.get('x-content-type-options')],
      ['application/pdf', "default-src 'none'; style-src 'unsafe-inline'", 'nosniff'],
    );
    const other = await browser.get('/alice/code/src/branch/main/false.pdf');
    assert.ok(!other.text.includes('<object') && !/object-src|frame-src/.test(policy(other)));
    assert.match(other.text, /class="source chroma"[\s\S]*&lt;script/);
  });

  it('with a picture can be compared in three ways', async () => {
    const text = await page(`commit/${second}`);
    assert.match(text, new RegExp(`value="swipe"[\\s\\S]*value="onion"[\\s\\S]*src="/alice/code/media/commit/${first}/p.png"`));
    assert.ok(!(await page(`commit/${first}`)).includes('value="swipe"'));
  });
});

describe('a commit', () => {
  it('has its notes, escaped, and tells where it is', async () => {
    const repository = await t.context.db.selectFrom('repositories').select(['id', 'volume', 'object_format']).executeTakeFirstOrThrow();
    const { path } = t.context.git.locate(repository);
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'safe.directory=*'];
    execFileSync('git', [...who, 'notes', 'add', '-m', `See ${EVIL}`, first], { cwd: path });
    assert.match(await page(`commit/${first}`), /Notes[\s\S]*See &lt;img/);
    const found = JSON.parse(await page(`commit/${first}/load-branches-and-tags`));
    assert.deepEqual(found, { branches: [{ web_link: '/alice/code/src/branch/main', name: 'main' }], default_branch: 'main', tags: [] });
  });

  it('is found by who wrote it, and when', async () => {
    assert.match(await page('commits/branch/main/search?q=committer:carol'), /1 commit<[\s\S]*Draw/);
    assert.match(await page('commits/branch/main/search?q=before:2001-01-01'), /No commit matches/);
    assert.match(await page('commits/branch/main/search?q=after:2001-01-01 draw'), /1 commit</);
    assert.match(await page('commits/branch/main/search?q=after:nonsense'), /3 commits</);
  });
});

describe('hidden characters', () => {
  it('are marked one by one, but not those that join emoji', () => {
    assert.equal(markHidden('a\u0007b'), 'a<bdi class="hidden-char" data-code="U+0007"></bdi>b');
    assert.equal(markHidden('\u{1f468}\u200d\u{1f469}'), '\u{1f468}\u200d\u{1f469}');
    assert.match(markHidden('a\u200db'), /U\+200D/);
    assert.equal(markHidden('plain\ttext'), 'plain\ttext');
  });
});

describe('characters that look like others', () => {
  const marked = (text: string) =>
    [...markLookAlikes(text).matchAll(/title="U\+([0-9A-F]+) ≠ (\w)"/g)].map(([, code, like]) => `${code} ${like}`);

  it('are marked beside ASCII letters, and in words by themselves', () => {
    assert.deepEqual(marked('\u0430dmin'), ['0430 a']);
    assert.deepEqual(marked('\u0441\u043e\u0441'), ['0441 c', '043E o', '0441 c']);
    assert.deepEqual(marked('x = \u039f1'), ['039F O']);
    assert.deepEqual(marked('if O\u{1d43e} { \uff41 }'), ['1D43E K', 'FF41 a']);
  });

  it('are not marked in texts of their own scripts', () => {
    assert.deepEqual(marked('\u043f\u0440\u0438\u0432\u0435\u0442, \u0430 \u043e\u043d2'), []);
    assert.deepEqual(marked('\u65e5\u672c \uff21\uff22'), []);
    assert.deepEqual(marked('plain &amp; <i title="\u0430">\u00b2 \u03b1 \u2122</i>'), []);
    // A word of two scripts is suspicious in every text.
    assert.deepEqual(marked('\u043f\u0440\u0438\u0432\u0435\u0442 p\u0430ypal'), ['0430 a']);
  });
});

describe('names of a source', () => {
  const names = (grammar: string, text: string) => symbolsOf({ text, grammar }).map(({ name }) => name);
  it('are found in the usual languages', () => {
    assert.deepEqual(names('typescript', 'export class A {\n  run(): void {\n    if (x) {\n  }\n}\nexport const b = 1;'), [
      'A',
      'run',
      'b',
    ]);
    assert.deepEqual(names('go', 'func (a *A) Run() {\n}\ntype A struct {\n'), ['Run', 'A']);
    assert.deepEqual(names('rs', 'pub struct S;\nimpl S {\n    pub async fn go(&self) {}\n}'), ['S', 'S', 'go']);
    assert.deepEqual(names('java', 'public class A {\n    public int run(int x) {\n'), ['A', 'run']);
    assert.deepEqual(names('c', '#define N 1\nstatic int run(int x)\n{\n'), ['N', 'run']);
    assert.deepEqual(names('ruby', 'module A\n  def self.go!\n  end\n'), ['A', 'self.go!']);
    assert.deepEqual(names('php', 'class A {\n  public function run() {\n'), ['A', 'run']);
    assert.deepEqual(names('constructor', 'class A {'), []);
  });

  it('are bounded, whatever the lines are', () => {
    assert.equal(names('python', 'def a():\n'.repeat(5_000)).length, 500);
    const begun = performance.now();
    names('cpp', `${'a '.repeat(190)}\n`.repeat(20_000));
    names('java', `  ${'a'.repeat(390)}\n`.repeat(20_000));
    assert.ok(performance.now() - begun < 20_000);
  });
});

describe('a table', () => {
  it('is read with its quotes and separators, and bounded', () => {
    const rows = (text: string) => tableOf({ text, separator: undefined }).rows;
    assert.deepEqual(rows('a;b\r\n"1\n""2""";'), [
      ['a', 'b'],
      ['1\n"2"', ''],
    ]);
    assert.deepEqual(rows('"open'), [['open']]);
    const large = tableOf({ text: `${'x,'.repeat(500)}\n`.repeat(2_000), separator: ',' });
    assert.deepEqual([large.rows.length, large.rows[0]?.length, large.isCut], [1_000, 100, true]);
  });
});
