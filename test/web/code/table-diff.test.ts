// On SQLite alone: what files look like comes from git.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run as compare, type TableCell } from '../../../src/web/code/diff/table-diff-task.ts';
import { Browser } from '../../support/browser.ts';
import { processorTime } from '../../support/processor-time.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const EVIL = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });

/** `=a`, `+a`, `-a`, `a>b`, a row in a string, with its numbers before it. */
function drawn(before: string | undefined, after: string | undefined): string[] {
  const cell = ({ kind, before, after }: TableCell) =>
    kind === 'same' ? `=${after}` : kind === 'added' ? `+${after}` : kind === 'removed' ? `-${before}` : `${before}>${after}`;
  const { rows } = compare({ before, after, separator: undefined });
  return rows.map((row) => `${row.hasGap ? '… ' : ''}${row.before ?? ''}/${row.after ?? ''} ${row.cells.map(cell).join(' ')}`);
}

describe('the difference of two tables', () => {
  it('shows cells that changed, and rows that came and went', () => {
    const before = 'id,name\n1,Ann\n2,Bob\n3,Cy\n';
    assert.deepEqual(drawn(before, 'id,name\n1,Ann\n2,Ben\n4,Dee\n3,Cy\n'), [
      '1/1 =id =name',
      '2/2 =1 =Ann',
      '3/3 =2 Bob>Ben',
      '/4 +4 +Dee',
      '4/5 =3 =Cy',
    ]);
    assert.deepEqual(drawn(before, 'id,name\n3,Cy\n'), ['1/1 =id =name', '2/ -1 -Ann', '3/ -2 -Bob', '4/2 =3 =Cy']);
    assert.deepEqual(drawn(undefined, 'a,b\n1,2'), ['/1 +a +b', '/2 +1 +2']);
    assert.deepEqual(drawn('a\n1', undefined), ['1/ -a', '2/ -1']);
    assert.deepEqual(drawn('a\n', ''), ['1/ -a']);
    assert.deepEqual(drawn('', ''), []);
  });

  it('costs little where no row is like another', async () => {
    const table = (same: string, other: string) =>
      Array.from({ length: 999 }, (_, row) => Array.from({ length: 100 }, (_, at) => (at % 2 ? same : `${other}${row}`)).join(',')).join(
        '\n',
      );
    const time = await processorTime(() => drawn(table('x', 'a'), table('y', 'b')));
    assert.ok(time < 400, `${time} ms`);
  });

  it('shows columns that came, went and were renamed', () => {
    assert.deepEqual(drawn('id,name\n1,Ann\n', 'id,age,name\n1,7,Ann\n'), ['1/1 =id +age =name', '2/2 =1 +7 =Ann']);
    assert.deepEqual(drawn('id,age,name\n1,7,Ann\n', 'id,name\n1,Ann\n'), ['1/1 =id -age =name', '2/2 =1 -7 =Ann']);
    assert.deepEqual(drawn('id,name\n1,Ann\n', 'id,called\n1,Ann\n'), ['1/1 =id name>called', '2/2 =1 =Ann']);
  });

  it('leaves out what is far from changes, and ends', () => {
    const rows = Array.from({ length: 50 }, (_, index) => `${index},x`);
    const changed = rows.with(30, '30,y');
    assert.deepEqual(drawn(rows.join('\n'), changed.join('\n')), [
      '1/1 =0 =x',
      ...['29/29 =28 =x', '30/30 =29 =x'].map((row, index) => (index === 0 ? `… ${row}` : row)),
      '31/31 =30 x>y',
      '32/32 =31 =x',
      '33/33 =32 =x',
    ]);
    const long = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word}${index},${index}`).join('\n');
    const { rows: shown, isCut } = compare({ before: long('a'), after: long('b'), separator: ',' });
    assert.deepEqual([shown.length <= 300, isCut], [true, true]);
    const wide = Array.from({ length: 5000 }, (_, index) => index).join(',');
    assert.ok(compare({ before: `${wide}\n${wide}`, after: wide, separator: ',' }).isCut);
  });
});

async function write(path: string, text: string, sha?: string): Promise<{ commit: { sha: string }; content: { sha: string } }> {
  const body = { content: Buffer.from(text).toString('base64'), message: 'Change', ...(sha !== undefined && { sha }) };
  return alice.must(sha === undefined ? 'POST' : 'PUT', `/repos/alice/code/contents/${path}`, body);
}

describe('the page of a commit', () => {
  it('shows files of values as tables, with the lines one click away', async () => {
    const made = await write('t.csv', `name,value\n${EVIL},1\n`);
    const changed = await write('t.csv', `name,value\n${EVIL},2\n`, made.content.sha);
    const browser = new Browser(t.url);
    const { text } = await browser.get(`/alice/code/commit/${changed.commit.sha}`);
    assert.match(text, /table-diff[\s\S]*<td class="same">&lt;img[^<]*<\/td><td class="changed"><del[^>]*>1<\/del> <ins[^>]*>2<\/ins>/);
    assert.match(text, /<details><summary>As lines<\/summary><table class="diff/);
    assert.ok(!text.includes(EVIL));
    assert.match((await browser.get(`/alice/code/commit/${made.commit.sha}`)).text, /<tr class="added">/);
    const plain = await write('t.txt', 'a,b\n');
    assert.ok(!(await browser.get(`/alice/code/commit/${plain.commit.sha}`)).text.includes('table-diff'));
  });
});
