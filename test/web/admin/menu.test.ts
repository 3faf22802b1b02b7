// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer({ oauth2: { enabled: false } });
const browser = new Browser(t.url);
await browser.signIn('admin', PASSWORD);

describe('the menu of the administration', () => {
  it('leads to no page that there is not', async () => {
    const { text } = await browser.get('/-/admin');
    const menu = /<nav class="side-menu".*?<\/nav>/s.exec(text)?.[0] ?? '';
    const links = [...menu.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    assert.ok(links.includes('/-/admin/hooks') && !links.includes('/-/admin/applications'));
    for (const link of links) assert.equal((await browser.get(link)).status, 200, link);
    assert.equal((await browser.get('/-/admin/applications')).status, 404);
  });
});
