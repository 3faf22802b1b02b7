// On SQLite alone: what is searched for is decided outside of the database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { found, indexed, pushed, search, searchServer } from './support.ts';

const t = await searchServer({ maxFileSize: 2 * 1024 * 1024 });
const ann = await t.user('ann');
const LONG = `${'x '.repeat(300_000)}needle in a haystack${' y'.repeat(300_000)}`;
await pushed(ann, 'code', {
  'src/Main.ts': 'import { run } from "./run.ts";\nexport function startServer(port: number) {\n  return run(port);\n}\n',
  'src/run.ts': 'export const run = (port: number) => port + 1;\n// TODO: start the server twice\n',
  'lib/util.py': 'def start_server(port):\n    return "a/b \\"quoted\\""\n',
  'test/run.test.ts': 'startServer(1);\n',
  'node_modules/dep/index.js': 'function startServer() {}\n',
  'docs/straße.md': 'Große Straße, ΣΊΣΥΦΟΣ, naïve İstanbul, 𝒳-ray 日本語テキスト\r\nkapı\r\n',
  'long.txt': LONG,
  'binary.dat': 'startServer\0',
});
await pushed(
  ann,
  'many',
  Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${String(n).padStart(2, '0')}.txt`, `common ${n}\n`])),
);
await indexed(t);
const paths = async (q: string, more: Record<string, string> = {}) => (await found(ann, q, more)).map((at) => at.replace('ann/code:', ''));

describe('a search in code', () => {
  it('finds words, phrases and expressions', async () => {
    const all = ['node_modules/dep/index.js', 'src/Main.ts', 'test/run.test.ts'];
    assert.deepEqual(await paths('startserver'), all);
    assert.deepEqual(await paths('startServer case:yes'), all);
    assert.deepEqual(await paths('startserver case:yes'), []);
    assert.deepEqual(await paths('port start'), ['lib/util.py', 'src/Main.ts', 'src/run.ts']);
    assert.deepEqual(await paths('"start the server"'), ['src/run.ts']);
    assert.deepEqual(await paths('"server the start"'), []);
    assert.deepEqual(await paths('/start_?server\\(p/'), ['lib/util.py', 'src/Main.ts']);
    assert.deepEqual(await paths('/^export (const|function) \\w+/'), ['src/Main.ts', 'src/run.ts']);
    assert.deepEqual(await paths('"\\"quoted\\\\\\""'), ['lib/util.py']);
    assert.deepEqual(await paths('/a\\/b/'), ['lib/util.py']);
    assert.deepEqual(await paths('return run(port)', { mode: 'exact' }), ['src/Main.ts']);
    assert.deepEqual(await paths('run.{1,3}port', { mode: 'regexp' }), ['src/Main.ts']);
    assert.deepEqual(await paths('./'), ['src/Main.ts'], 'too short for the filters');
  });

  it('is limited by path, language, repository and owner', async () => {
    assert.deepEqual(await paths('startserver path:src'), ['src/Main.ts']);
    assert.deepEqual(await paths('startserver -path:node_modules language:javascript'), []);
    assert.deepEqual(await paths('startserver language:js'), ['node_modules/dep/index.js']);
    assert.deepEqual(await paths('port -language:typescript'), ['lib/util.py']);
    assert.deepEqual(await paths('run path:*.ts'), ['src/Main.ts', 'src/run.ts']);
    assert.deepEqual(await paths('run path:"src/**"'), ['src/Main.ts', 'src/run.ts']);
    assert.deepEqual(await paths('port', { language: 'Python' }), ['lib/util.py']);
    assert.deepEqual(await paths('port', { path: 'LIB/' }), ['lib/util.py']);
    assert.deepEqual(await paths('path:util'), ['lib/util.py'], 'files by their paths alone');
    for (const repo of ['ann/code', 'code', 'ANN/Code'])
      assert.deepEqual(await paths(`startserver path:src repo:${repo}`), ['src/Main.ts']);
    assert.deepEqual(await paths('startserver repo:ann/many'), []);
    assert.deepEqual(await paths('startserver path:src', { repo: 'ann/many,ann/code', owner: 'Ann' }), ['src/Main.ts']);
    assert.deepEqual(await paths('startserver', { owner: 'nobody' }), []);
  });

  it('knows letters of all kinds, in both cases', async () => {
    for (const q of ['große', 'STRAßE', 'σίσυφος', 'ΣΊΣΥΦΟΣ', 'NAÏVE', '𝒳-ray', '日本語', 'テキスト', '/ί.υ/', '/KAPı/', 'path:STRAßE']) {
      assert.deepEqual(await paths(q), ['docs/straße.md'], q);
    }
    const { items } = await search(ann, { q: 'naïve' });
    const [line] = items[0].lines;
    assert.equal(line.text.slice(line.matches[0].start, line.matches[0].end), 'naïve');
    assert.ok(!line.text.includes('\r'));
    assert.match(items[0].html_url, /\/ann\/code\/src\/commit\/[0-9a-f]{40}\/docs\/stra%C3%9Fe\.md$/);
  });

  it('shows lines with those around them, of long ones a part', async () => {
    const { items } = await search(ann, { q: 'twice' });
    assert.deepEqual(items[0].lines, [
      { number: 1, text: 'export const run = (port: number) => port + 1;', matches: [], is_cut: false },
      { number: 2, text: '// TODO: start the server twice', matches: [{ start: 26, end: 31 }], is_cut: false },
    ]);
    for (const q of ['needle', '/ne+dle in/']) {
      const [line] = (await search(ann, { q })).items[0].lines;
      assert.ok(line.is_cut && line.text.length <= 240, q);
      assert.equal(line.text.slice(line.matches[0].start, line.matches[0].start + 6), 'needle');
    }
  });

  it('puts first what is likelier to be looked for', async () => {
    const order = (await search(ann, { q: 'startserver' })).items.map(({ path }: { path: string }) => path);
    assert.deepEqual(order, ['src/Main.ts', 'test/run.test.ts', 'node_modules/dep/index.js']);
    const { items, languages } = await search(ann, { q: 'startserver', sort: 'path' });
    assert.deepEqual(items.map(({ path }: { path: string }) => path).sort(), order.toSorted());
    assert.deepEqual(languages, [
      { name: 'TypeScript', count: 2 },
      { name: 'JavaScript', count: 1 },
    ]);
    assert.deepEqual([items[0].vendored, items[0].match_count], [true, 1]);
  });

  it('comes in pages', async () => {
    const response = await ann.get('/search/code?q=common&limit=25&page=3');
    assert.equal(response.headers.get('x-total-count'), '60');
    assert.match(response.headers.get('link') ?? '', /rel="first"/);
    assert.equal(response.json.items.length, 10);
    const seen = new Set<string>();
    for (const page of [1, 2, 3]) for (const at of await found(ann, 'common', { limit: 25, page })) seen.add(at);
    assert.equal(seen.size, 60);
    const within = await search(ann, { q: 'common', limit: 1 }, '/repos/ann/many');
    assert.deepEqual([within.total_count, within.items.length], [60, 1]);
    assert.equal((await search(ann, { q: 'common' }, '/repos/ann/code')).total_count, 0);
  });

  it('is refused when it cannot be read, by the name of the field', async () => {
    const refused: [Record<string, string>, RegExp][] = [
      [{}, /^q: what to search for is missing/],
      [{ q: 'repo:ann/code' }, /^q: what to search for is missing/],
      [{ q: 'x'.repeat(1001) }, /^q: .*1000 characters/],
      [{ q: 'a b c d e f g h i j k' }, /^q: .*10 words/],
      [{ q: `x ${'path:a '.repeat(21)}` }, /^q: .*20 qualifiers/],
      [{ q: 'y'.repeat(257) }, /^q: .*256 characters/],
      [{ q: '/(a/' }, /^q: the expression cannot be read/],
      [{ q: '/(?=a)/' }, /^q: the expression cannot be read/],
      [{ q: '/(\\w{1,500}){1,2}x/' }, /^q: the expression (is too large|cannot be read)/],
      [{ q: 'x -repo:ann/code' }, /^q: -repo: is not known/],
      [{ q: 'x', mode: 'fuzzy' }, /^mode: must be one of words, exact, regexp/],
      [{ q: 'x', sort: 'stars' }, /^sort: must be one of relevance, path/],
    ];
    for (const [parameters, message] of refused) {
      const { status, json } = await ann.get(`/search/code?${new URLSearchParams(parameters)}`);
      assert.deepEqual([status, message.test(json.message)], [422, true], `${JSON.stringify(parameters)}: ${json.message}`);
    }
  });
});
