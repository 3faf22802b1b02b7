// On SQLite alone: what the pages ask of the database, their own tests ask of both.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diffAnchor } from '../../../src/web/code/diff/source.ts';
import { indexed, pushed, searchServer } from '../../search/support.ts';
import type { Hands } from './hands.ts';
import { playJourneys } from './journey.ts';

const t = await searchServer();
const alice = await t.user('alice');

playJourneys('code', t, [
  {
    name: 'makes a repository, and pushes to it as its page says',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      await hands.visit('');
      await hands.follow(hands.link('New repository').last());
      await hands.write(hands.field('Name'), `first-${key}`);
      await hands.write(hands.field('Description'), 'The first one');
      await hands.follow(hands.button('Create a repository'));
      await hands.sees('This repository is empty');
      await hands.sees(`git remote add origin ${t.url}alice/first-${key}.git`, '.commands');
      const folder = join(t.folder, key);
      await mkdir(folder);
      await writeFile(join(folder, 'README.md'), '# Hello\n');
      const commands = [['init'], ['add', '.'], ['commit', '-m', 'Begin'], ['push', alice.remote(`alice/first-${key}`), 'HEAD:main']];
      for (const command of commands) assert.equal((await alice.git(command, folder)).code, 0);
      await t.settled();
      await hands.visit(`alice/first-${key}`);
      await hands.sees('Begin', '.files-box');
      await hands.sees('Hello', '.prose');
    },
  },
  {
    name: 'edits a file, and proposes the change from a new branch',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      await pushed(alice, `edit-${key}`, { 'src/app.js': 'let a = 1;\n' });
      await hands.visit(`alice/edit-${key}/src/branch/main/src/app.js`);
      await hands.follow(hands.link('Edit file'));
      await writeCode(hands, 'let a = 2;\n');
      await hands.write(hands.field('Commit message'), 'Count to two');
      await hands.tick(hands.field(/Create a new branch/));
      await hands.write(hands.field('Name of the new branch'), 'two');
      await hands.follow(hands.button('Commit changes'));
      await hands.sees('let a = 2;', 'table.diff');
      await hands.follow(hands.link('New pull request'));
      if ((await hands.field('Title').inputValue()) === '') await hands.write(hands.field('Title'), 'Count to two');
      await hands.follow(hands.button('Open a pull request'));
      assert.match(hands.path, /\/pulls\/1$/);
      await hands.sees('Count to two');
    },
  },
  {
    name: 'uploads files into a folder',
    as: alice,
    isMain: true,
    play: async (hands, key) => {
      await pushed(alice, `upload-${key}`, { 'README.md': 'x\n' });
      await hands.visit(`alice/upload-${key}`);
      await hands.press(hands.fold('Add file'));
      await hands.follow(hands.link('Upload files'));
      await hands.write(hands.field('Folder'), 'docs');
      await hands.attach(hands.field('Files'), [
        { name: 'one.txt', content: 'one\n' },
        { name: 'two.txt', content: 'two\n' },
      ]);
      if (hands.manner !== 'plain') await hands.sees('two.txt', '.chosen-files');
      await hands.write(hands.field('Commit message'), 'Add two files');
      await hands.follow(hands.button('Upload and commit'));
      await hands.sees('one.txt', '.files-box');
      await hands.follow(hands.link('two.txt'));
      await hands.sees('two');
    },
  },
  {
    name: 'makes a branch from another one',
    as: alice,
    play: async (hands, key) => {
      await pushed(alice, `branch-${key}`, { 'README.md': 'x\n' });
      await hands.visit(`alice/branch-${key}/branches`);
      await hands.press(hands.page.locator('main ul details.menu > summary').first());
      await hands.write(hands.field(/New branch from this one/), 'next');
      await hands.follow(hands.button('Create branch', hands.page.locator('form[action$="/_new/branch/main"]')));
      assert.match(hands.path, /\/src\/branch\/next$/);
      await hands.sees('README.md', '.files-box');
    },
  },
  {
    name: 'goes to lines of a file, of its origin, and of a change',
    as: alice,
    play: async (hands, key) => {
      const { page } = hands;
      await pushed(alice, `lines-${key}`, { 'long.txt': 'line\n'.repeat(500) });
      for (const kind of ['src', 'blame']) {
        await hands.visit(`alice/lines-${key}/${kind}/branch/main/long.txt`);
        await toLines(hands, '400', '#L400');
        await toLines(hands, '410-412', '#L410-L412', '?lines=410-412#L410');
        assert.equal(await marked(hands, '.source'), '410 411 412');
      }
      if (hands.manner === 'scripts') {
        // What the style sheet draws before the text; the line of the former address is not marked any more.
        await page.goto(`${t.url}alice/lines-${key}/src/branch/main/long.txt#L400`);
        await page.locator('#L401').click({ position: { x: 20, y: 8 } });
        await page.locator('#L403').click({ position: { x: 20, y: 8 }, modifiers: ['Shift'] });
        assert.equal(new URL(page.url()).hash, '#L401-L403');
        assert.equal(await marked(hands, '.source'), '401 402 403');
      }
      const [{ sha }] = await alice.must('GET', `/repos/alice/lines-${key}/commits?limit=1`);
      await hands.visit(`alice/lines-${key}/commit/${sha}`);
      const anchor = diffAnchor('long.txt');
      await toLines(hands, 'long.txt:20', `#${anchor}R20`);
      await toLines(hands, 'long.txt:30-32', `#${anchor}R30-R32`, `?lines=${anchor}R30-32#${anchor}R30`);
      assert.equal(await marked(hands, 'table.diff'), '30 31 32');
    },
  },
  {
    name: 'searches in code, and goes to a file by its name',
    as: alice,
    play: async (hands, key) => {
      await pushed(alice, `search-${key}`, { 'lib/tree.ts': `export const ${key}Needle = 1;\n`, 'b.py': 'needle = 2\n' });
      await indexed(t);
      await hands.visit(`alice/search-${key}`);
      const box = hands.page.locator('.code-search-box input');
      await hands.write(box, `${key}Needle`);
      await hands.follow(hands.button('Search', hands.page.locator('.code-search-box')));
      await hands.sees('1 file');
      await hands.follow(hands.page.locator('main a[href*="tree.ts#L1"]').first());
      await hands.sees(`${key}Needle`);
      await hands.visit(`alice/search-${key}`);
      await hands.follow(hands.link('Go to file'));
      await hands.write(hands.page.locator('main [name=q]:not(.code-search-box *)').first(), 'tree');
      if (hands.manner === 'plain') await hands.follow(hands.page.locator('main form button').last());
      await hands.follow(hands.link('lib/tree.ts'));
      await hands.sees(`${key}Needle`);
    },
  },
]);

/** Asks for lines; they are seen afterwards. @param plain the end of the address without scripts, where it is another one */
async function toLines(hands: Hands, lines: string, address: string, plain = address): Promise<void> {
  const { page, manner } = hands;
  await hands.write(hands.field('Go to line'), lines);
  await hands.press(hands.button('Go to line'));
  await page.waitForURL((url) => url.href.endsWith(manner === 'plain' ? plain : address));
  const first = page.locator(`[id="${plain.slice(plain.indexOf('#') + 1)}"]`);
  await first.waitFor();
  await page.waitForFunction(isShown, await first.elementHandle());
}

/** The numbers of the lines that have another colour than most, for a page whose marks are drawn by its style sheet. */
function marked({ page }: Hands, within: string): Promise<string> {
  return page.locator(`${within} [data-n]`).evaluateAll((lines) => {
    const colourOf = (line: Element) => getComputedStyle(line).backgroundColor;
    const usual = colourOf(lines.at(-1) as Element);
    return lines.flatMap((line) => (colourOf(line) === usual ? [] : [line.getAttribute('data-n')])).join(' ');
  });
}

/** Runs in the browser. */
function isShown(element: Element | null): boolean {
  const { top = -1, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  return top >= 0 && bottom <= innerHeight;
}

/** Replaces the text of the editor, which is a field without scripts. */
async function writeCode(hands: Hands, text: string): Promise<void> {
  if (hands.manner === 'plain') return hands.write(hands.page.locator('textarea[name=content]'), text);
  const editor = hands.page.locator('.cm-content');
  await editor.waitFor();
  await hands.focus(editor);
  await hands.keys('Control+a');
  await hands.page.keyboard.type(text);
}
