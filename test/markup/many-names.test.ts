import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findInMarkdown, findInText } from '../../src/markup/references.ts';

const ROOT = 'http://localhost/';
/** Milliseconds, also for a busy machine. */
const PATIENCE = 10_000;

it('a thousand mentions and references of a text are found, no matter how many it has', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `@user${at} #${at + 1}`).join(' ');
  const links = Array.from({ length: 3000 }, (_, at) => `[a](${ROOT}a/b/issues/${at + 1})`).join(' ');
  for (const { mentions, references } of [findInText(text, ROOT, {}, PATIENCE), findInMarkdown(text, ROOT, {}, PATIENCE)]) {
    assert.deepEqual([mentions.length, references.length], [1000, 1000]);
    assert.deepEqual([mentions.at(-1), references.at(-1)?.index], ['user999', 1000]);
  }
  assert.equal(findInMarkdown(links, ROOT, {}, PATIENCE).references.length, 1000);
});
