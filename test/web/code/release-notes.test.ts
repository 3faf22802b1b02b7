import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merge, open } from '../../pulls/open.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const [alice, bob] = await Promise.all(['alice', 'bob', 'eve'].map((name) => t.user(name)));
assert.ok(alice && bob);
const REPO = '/repos/alice/code';
const at = `${t.url}alice/code`;
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${REPO}/collaborators/bob`, { permission: 'write' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const form = await browser.get('/alice/code/releases/new');
const token = /name="_token" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
const ask = (fields: Record<string, string>, who = browser, _token = token) =>
  who.send('POST', '/alice/code/releases/generate-notes', { fields: { _token, ...fields } });
const notes = async (fields: Record<string, string>) => {
  const { status, text } = await ask(fields);
  assert.equal(status, 200, text);
  return JSON.parse(text).content as string;
};
const mergeOf = async (who: typeof alice, head: string) => {
  const number = await open(who, 'alice/code', head);
  await t.settled();
  assert.equal((await merge(alice, 'alice/code', number)).status, 200);
  return number;
};

describe('generated notes', () => {
  it('list what was merged since the release before, who did it, and who is new', async () => {
    const first = await mergeOf(alice, 'one');
    assert.equal(
      await notes({ tag_name: 'v1', tag_target: 'main' }),
      `## What's Changed\n* Take one in [#${first}](${at}/pulls/${first})\n\n## Contributors\n* @alice\n\n## New Contributors\n` +
        `* @alice made their first contribution in [#${first}](${at}/pulls/${first})\n\n**Full Changelog**: ${at}/commits/tag/v1\n`,
    );
    await alice.must('POST', `${REPO}/releases`, { tag_name: 'v1' });
    const second = await mergeOf(alice, 'two');
    const third = await mergeOf(bob, 'three');
    const since = await notes({ tag_name: 'v/2', tag_target: 'main' });
    const line = (name: string, number: number) => `* Take ${name} in [#${number}](${at}/pulls/${number})\n`;
    assert.ok(
      since.startsWith(`## What's Changed\n${line('three', third)}${line('two', second)}\n## Contributors\n* @bob\n* @alice\n`),
      since,
    );
    assert.match(since, /## New Contributors\n\* @bob made[^\n]*\n\n\*\*Full/);
    assert.ok(since.endsWith(`**Full Changelog**: [v1...v/2](${at}/compare/v1...v/2)\n`));
    await alice.must('POST', `${REPO}/tags`, { tag_name: 'later' });
    assert.ok((await notes({ tag_name: 'v3', tag_target: 'main', previous_tag: 'later' })).startsWith("## What's Changed\n\n**Full"));
    assert.ok((await notes({ tag_name: 'v1', previous_tag: '' })).includes(line('one', first)));
  });

  it('say what is not there, and are for who writes releases', async () => {
    const refused = async (fields: Record<string, string>) => {
      const { status, text } = await ask(fields);
      return [status, JSON.parse(text).errorMessage];
    };
    assert.deepEqual(await refused({ tag_name: '' }), [400, '[TagName]: Required']);
    assert.deepEqual(await refused({ tag_name: 'v9', tag_target: 'none' }), [400, 'target "none" not found']);
    assert.deepEqual(await refused({ tag_name: 'v9', previous_tag: '--all' }), [400, 'tag "--all" not found']);
    const eve = new Browser(t.url);
    await eve.signIn('eve', PASSWORD);
    const own = /name="_token" value="([^"]*)"/.exec((await eve.get('/repo/create')).text)?.[1] ?? '';
    assert.equal((await ask({ tag_name: 'v9' }, eve, own)).status, 403);
  });

  it('come under what was typed when there are no scripts', async () => {
    const body = new FormData();
    const fields = {
      _token: token,
      tag_name: 'v2',
      tag_target: 'main',
      previous_tag: 'v1',
      title: 'Two',
      content: 'My words',
      generate: '1',
    };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const headers = { origin: new URL(t.url).origin, cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') };
    const shown = await fetch(new URL('/alice/code/releases/new', t.url), { method: 'POST', body, headers });
    const text = await shown.text();
    assert.equal(shown.status, 200);
    assert.match(text, /My words\n\n## What&#39;s Changed\n\* Take three/);
    assert.match(text, /<option value="v1" selected>/);
    assert.equal((await alice.get(`${REPO}/releases/tags/v2`)).status, 404);
  });
});
