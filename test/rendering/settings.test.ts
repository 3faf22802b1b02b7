import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const plain = await testServer({ markup: { hardLineBreaksInComments: false, highlightMaxSize: 10 } });
const usual = await testServer();
const users = [await plain.user('alice'), await usual.user('alice')];

const rendered = async (Text: string) =>
  Promise.all(users.map(async (user) => (await user.post('/markup', { Text, Mode: 'comment', Context: '/alice/demo' })).text));

describe('the settings of markup', () => {
  it('say whether lines break in comments', async () => {
    const [together, broken] = await rendered('a\nb');
    assert.match(together ?? '', /a\nb/);
    assert.match(broken ?? '', /a<br\/?>\n?b/);
  });

  it('say how much code is highlighted', async () => {
    const isHighlighted = (text: string) => text.includes('<span class="k">let</span>');
    assert.deepEqual((await rendered('```js\nlet a = 1\n```')).map(isHighlighted), [true, true]);
    assert.deepEqual((await rendered('```js\nlet a = 12\n```')).map(isHighlighted), [false, true]);
  });
});
