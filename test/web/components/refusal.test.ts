// On SQLite alone: it asks nothing of the database.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { refusalSentence } from '../../../src/web/components/refusal.ts';
import { catalogueOf } from '../../../src/web/languages/languages.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'box', auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const SOURCES = new URL('../../../src/', import.meta.url);
const [en, de] = [catalogueOf('en').refusals, catalogueOf('de').refusals];

async function refusal(page: string, fields: Record<string, string>, language: string, action = page): Promise<string> {
  const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await browser.get(page)).text) ?? [];
  const headers = { 'accept-language': language };
  const { text } = await browser.send('POST', action, { fields: { _token: token, ...fields }, headers });
  return /<p class="fault"[^>]*>([^<]*)/.exec(text)?.[1] ?? text;
}

describe('the messages of rules', () => {
  it('are sentences in the language of the reader', async () => {
    const branch = [
      await refusal('/alice/box/branches', { branch: 'main', from: 'main' }, 'en'),
      await refusal('/alice/box/branches', { branch: 'main', from: 'main' }, 'de'),
    ];
    assert.deepEqual(branch, [en['The branch already exists.'], de['The branch already exists.']]);
    const taken = await refusal('/repo/create', { name: 'box' }, 'de');
    assert.equal(taken, 'Es gibt schon ein Repository mit diesem Namen.');
  });

  it('keep the parts that differ, and other messages stay as they are', () => {
    assert.equal(refusalSentence(en, 'tag already exists [name: v1 {2}]'), 'A tag named v1 {2} already exists.');
    assert.equal(refusalSentence(en, 'the image has 1 × 2 pixels, more than 3 × 4'), 'The image has 1 × 2 pixels; 3 × 4 are allowed.');
    assert.equal(refusalSentence(en, 'the image has 1 × 2 pixels'), undefined);
    assert.equal(refusalSentence(en, 'constructor'), undefined);
    assert.equal(refusalSentence(en, 'tag already exists [name: '), undefined);
  });

  it('are those that rules have', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    const rules = files.filter((path) => !path.startsWith('web/languages/'));
    const texts = rules
      .map((path) => readFileSync(new URL(path, SOURCES), 'utf8').replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}'))
      .join('\n');
    assert.deepEqual(
      Object.keys(en).filter((message) => !texts.includes(message)),
      [],
    );
  });

  it('have the same parts in every language', () => {
    const parts = (sentence: string) => [...sentence.matchAll(/\{\d?\}/g)].map(([part]) => part).toSorted();
    for (const [message, sentence] of Object.entries(en)) assert.deepEqual(parts(de[message as keyof typeof de]), parts(sentence), message);
  });
});
