import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { settingsDocument } from '../../src/settings/document.ts';
import { ALL_SETTINGS } from '../../src/settings.ts';

describe('docs/settings.md', () => {
  it('is what the table says; `npm run docs:settings` writes it', () => {
    assert.equal(readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8'), settingsDocument());
  });

  it('has a row for every setting', () => {
    const rows = settingsDocument()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    assert.equal(rows.length, ALL_SETTINGS.length);
    for (const { name, variable } of ALL_SETTINGS) {
      assert.equal(rows.filter((row) => row.startsWith(`| \`${name}\`<br>\`${variable}\` |`)).length, 1, name);
    }
    for (const row of rows) assert.equal(row.replace(/`[^`]*`/g, '').match(/(?<!\\)\|/g)?.length, 5, row);
  });
});
