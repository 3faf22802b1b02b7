// On SQLite alone: what a browser makes of names that are tested elsewhere.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium, withoutChromium } from '../support/chromium.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const [name, branch, folder, file] = ['r'.repeat(100), 'b'.repeat(100), 'd'.repeat(120), `${'f'.repeat(120)}.ts`];
const own = `/repos/alice/${name}`;
await alice.must('POST', '/user/repos', { name, description: 'd'.repeat(200), auto_init: true, default_branch: 'main' });
await alice.must('POST', `${own}/contents/${folder}/${file}`, {
  content: '',
  message: 'm'.repeat(300),
  branch: 'main',
  new_branch: branch,
});
const milestone = (await alice.must('POST', `${own}/milestones`, { title: 'm'.repeat(200) })).id;
const label = (await alice.must('POST', `${own}/labels`, { name: 'l'.repeat(50), color: '#ff0000' })).id;
await alice.must('POST', `${own}/issues`, { title: 't'.repeat(255), body: 'b'.repeat(500), milestone, labels: [label] });
await alice.must('POST', `${own}/pulls`, { title: 'p'.repeat(255), head: branch, base: 'main' });
await alice.must('POST', `${own}/releases`, { tag_name: 't'.repeat(80), name: 'n'.repeat(200), body: 'b'.repeat(500) });

const code = [`/src/branch/${branch}`, `/src/branch/${branch}/${folder}/${file}`, `/commits/branch/${branch}`];
const lists = ['/issues', '/labels', '/milestones', '/releases', '/branches', '/tags', '/activity'];
const PAGES = ['', ...code, ...lists, '/issues/1', '/pulls/2', '/pulls/2/files'];

describe('names without spaces', { skip: withoutChromium }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  it('do not turn round what stands beside them', async () => {
    const page = await browser.newPage();
    await page.goto(`${t.url}alice/${name}`);
    const [first, last] = await page.evaluate(() => {
      const line = document.createElement('p');
      const beside = document.createElement('span');
      beside.append('1', '9');
      const link = document.createElement('a');
      link.textContent = '\u202eevil';
      line.append(link, ' ', beside);
      document.body.append(line);
      return [...beside.childNodes].map((text) => {
        const range = document.createRange();
        range.selectNode(text);
        return range.getBoundingClientRect().left;
      });
    });
    assert.ok(Number(first) < Number(last));
    await page.close();
  });

  for (const width of [1280, 390]) {
    it(`stay within a window of ${width} pixels`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      for (const path of PAGES) {
        await page.goto(`${t.url}alice/${name}${path}`);
        assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, path);
      }
      await page.close();
    });
  }
});
