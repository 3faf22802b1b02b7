// On SQLite alone: what the pages ask of the database, the tests of the API ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffAnchor } from '../../../src/web/code/diff/source.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const change = async (files: object[], message: string): Promise<string> => {
  const { commit } = await alice.must('POST', '/repos/alice/code/contents', { branch: 'main', message, files });
  return String(commit.sha);
};
const create = (path: string, content: string | Buffer) => ({ operation: 'create', path, content: encoded(content) });
const notebook = {
  cells: [
    { cell_type: 'markdown', source: ['# Cell <script>x</script>'] },
    { cell_type: 'code', source: 'print("<b>")', outputs: [{ text: ['<i>out'] }, { data: { 'image/png': 'iVBORw0KGgo=' } }] },
    { cell_type: 'code', source: '', outputs: [{ data: { 'image/png': '"><script>', 'text/html': '<script>y</script>' } }] },
  ],
};
await change(
  [
    create('a.js', `const one = '<b>';\r\nconst two = 2;\r\n`),
    create('notes.md', '# Notes'),
    create('nb.ipynb', JSON.stringify(notebook)),
    create('latin.txt', Buffer.from('caf\xe9', 'latin1')),
    create('big.bin', Buffer.from([0, 1, 2])),
    create('lines.txt', '\n'.repeat(100_000)),
    create('more-lines.txt', '\n'.repeat(100_001)),
    create('p.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    create('lfs.png', `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 123456\n`),
    create('old <i>.txt', 'first\nsecond\nthird\nfourth\n'),
  ],
  'Add files',
);
const blobs = await alice.must('GET', '/repos/alice/code/contents/old%20%3Ci%3E.txt');
const changed = await change(
  [
    {
      operation: 'update',
      path: 'new.txt',
      from_path: 'old <i>.txt',
      sha: blobs.sha,
      content: encoded('first\nsecond <b>\nthird\nfourth\n'),
    },
    create('package-lock.json', '{}\n'),
  ],
  'Rename <i>\n\nBecause of #1.\n\nReviewed-by: Bob <bob@example.com>',
);
await alice.must('POST', '/user/repos', { name: 'closed', private: true, auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const file = async (path: string) => (await browser.get(`/alice/code/src/branch/main/${path}`)).text;

describe('the page of a file', () => {
  it('shows its source in colours, with anchors, and links to its other pages', async () => {
    const page = await file('a.js');
    assert.match(
      page,
      /<div id="L1" data-n="1"><code><span class="k">const<\/span> one = <span class="s">&#x27;&lt;b&gt;&#x27;<\/span>;\n<\/code>/,
    );
    assert.match(page, /id="L2"/);
    assert.ok(!page.includes('id="L3"') && !page.includes('&#13;'));
    for (const name of ['raw', 'commits']) assert.ok(page.includes(`href="/alice/code/${name}/branch/main/a.js"`), name);
    assert.match(page, /href="\/alice\/code\/src\/commit\/[0-9a-f]{40}\/a\.js" data-key="y"/);
    assert.match(page, /2 lines · \d+ B/);
  });

  it('leads to a line that is typed, without a link at each of them', async () => {
    const source = await file('notes.md?display=source');
    assert.ok(!source.includes('href="#L'));
    assert.match(
      source,
      /class="line-form row" action="\/alice\/code\/src\/branch\/main\/notes.md"><input type="hidden" name="display" value="source">/,
    );
    const led = async (query: string) => (await browser.get(`/alice/code/src/branch/main/notes.md?display=source&line=${query}`)).location;
    assert.deepEqual(
      [await led('02'), await led('9-3'), await led('4-4&lines=1-2'), await led('x'), await led('1-')],
      [...['#L2', '&lines=3-9#L3', '#L4'].map((rest) => `/alice/code/src/branch/main/notes.md?display=source${rest}`), ...['', '']],
    );
    assert.equal((await browser.get('/alice/code/blame/branch/main/a.js?line=2')).location, '/alice/code/blame/branch/main/a.js#L2');
  });

  it('marks a range that is typed, also without scripts', async () => {
    const marked = async (path: string) =>
      [...(await browser.get(`/alice/code/${path}`)).text.matchAll(/data-n="(\d+)" class="marked"/g)].map(([, n]) => n);
    const source = 'src/branch/main/a.js';
    assert.deepEqual(await marked(`${source}?lines=1-2`), ['1', '2']);
    assert.deepEqual(await marked('blame/branch/main/a.js?lines=2-9'), ['2']);
    assert.deepEqual([await marked(source), await marked(`${source}?lines=x`), await marked(`${source}?lines=5-9`)], [[], [], []]);
    // The field leads to one range at a time.
    assert.ok(!(await file('a.js?lines=1-2')).includes('name="lines"'));
  });

  it('shows formats as they are meant, or their source', async () => {
    assert.match(await file('notes.md'), /<h1[^>]*>.*Notes/s);
    const source = await file('notes.md?display=source');
    assert.match(source, /<div id="L1" data-n="1">.*# Notes/);
    assert.match(source, /display=source" aria-current="true"/);
    assert.match(await file('p.svg'), /<img src="\/alice\/code\/raw\/branch\/main\/p.svg"/);
    assert.match(await file('lfs.png'), /<img src="\/alice\/code\/media\/branch\/main\/lfs.png"/);
    assert.match(await file('lfs.png'), /120.6 KiB · Stored with Git LFS/);
    assert.match(await file('big.bin'), /binary or too large/);
    assert.match(await file('lines.txt'), /id="L100000"/);
    const tooMany = await file('more-lines.txt');
    assert.ok(tooMany.length < 100_000 && /binary or too large/.test(tooMany));
    assert.match(await file('latin.txt'), /Windows-1252[\s\S]*café/);
  });

  it('shows notebooks without what runs', async () => {
    const page = await file('nb.ipynb');
    assert.match(page, /<h1[^>]*>.*Cell/s);
    assert.match(page, /&lt;i&gt;out/);
    assert.match(page, /src="data:image\/png;base64,iVBORw0KGgo="/);
    assert.ok(!page.includes('<script>x') && !page.includes('<script>y') && !page.includes('"><script>'));
  });
});

describe('the page of a commit', () => {
  it('leads to a range of a file that is typed, and marks it without scripts', async () => {
    const path = `/alice/code/commit/${changed}`;
    const anchor = diffAnchor('new.txt');
    const led = async (place: string) => (await browser.get(`${path}?context=9&line-of=${encodeURIComponent(place)}`)).location;
    assert.equal(await led('new.txt:2'), `${path}?context=9#${anchor}R2`);
    assert.equal(await led('new.txt:3-1'), `${path}?context=9&lines=${anchor}R1-3#${anchor}R1`);
    assert.equal(await led('new.txt:-2-3'), `${path}?context=9&lines=${anchor}L2-3#${anchor}L2`);
    assert.equal(await led('new.txt:2-'), '');
    for (const [lines, ids] of [
      ['R1-3', ['R1', 'R2', 'R3']],
      ['L2-9', ['L2', 'L3', 'L4']],
      ['R7-9', []],
    ] as const) {
      const { text } = await browser.get(`${path}?lines=${anchor}${lines}`);
      const marked = [...text.matchAll(/ marked" id="diff-[0-9a-f]{40}([LR]\d+)"/g)].map(([, id]) => id);
      assert.deepEqual(marked, ids, lines);
    }
  });

  it('shows message, parents and changes', async () => {
    const { text } = await browser.get(`/alice/code/commit/${changed}`);
    assert.match(text, /<h2>Rename &lt;i&gt;<\/h2>/);
    assert.match(text, /Reviewed-by: Bob/);
    assert.match(text, /old &lt;i&gt;.txt → new.txt/);
    assert.match(text, /<tr class="added">.*second<span class="w"> &lt;b&gt;<\/span>/);
    assert.match(text, /folded, because it is large, generated/);
    assert.match(text, /src\/branch\/main"><svg[^>]*>.*main<\/a>/);
    assert.match(text, new RegExp(`href="/alice/code/commit/${changed}.patch"`));
    assert.equal((await browser.get(`/alice/code/commit/${changed.slice(0, 8)}`)).status, 200);
    assert.match((await browser.get(`/alice/code/commit/${changed}.diff`)).text, /^diff --git/);
  });

  it('lists some of very many checks', async () => {
    const { id } = await t.context.db.selectFrom('repositories').select('id').where('lower_name', '=', 'code').executeTakeFirstOrThrow();
    const said = {
      repository_id: id,
      sha: changed,
      state: 'success',
      target_url: '',
      description: '',
      created_at: 1,
      updated_at: 1,
    } as const;
    const rows = Array.from({ length: 501 }, (_, n) => ({ ...said, context: `check-${n}.`, number: n + 1 }));
    await t.context.db.insertInto('commit_statuses').values(rows).execute();
    const { text } = await browser.get(`/alice/code/commit/${changed}`);
    assert.ok(text.includes('501 checks') && text.includes('check-499.') && !text.includes('check-500.'));
  });

  it('shows one file, both sides beside each other, and remembers that', async () => {
    const lock = await browser.get(`/alice/code/commit/${changed}?file=package-lock.json`);
    assert.ok(lock.text.includes('<tr class="added">') && !lock.text.includes('new.txt'));
    const split = await browser.get(`/alice/code/commit/${changed}?style=split`);
    assert.match(split.text, /<table class="diff chroma split">/);
    assert.match((await browser.get(`/alice/code/commit/${changed}`)).text, /chroma split/);
    assert.equal((await alice.must('GET', '/user/settings')).diff_view_style, 'split');
    await browser.get(`/alice/code/commit/${changed}?style=unified`);
  });

  it('is not there for strangers, nor for what is not a commit', async () => {
    const { commit } = await alice.must('GET', '/repos/alice/closed/branches/main');
    assert.equal((await new Browser(t.url).get(`/alice/closed/commit/${commit.id}`)).status, 404);
    assert.equal((await browser.get(`/alice/closed/commit/${commit.id}`)).status, 200);
    assert.equal((await browser.get(`/alice/code/commit/${'0'.repeat(40)}`)).status, 404);
  });
});
