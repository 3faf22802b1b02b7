import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { isPending } from '../../src/settings/pending.ts';
import { ALL_SETTINGS } from '../../src/settings.ts';

it('says of exactly those settings that they have no effect yet, which nothing reads', async () => {
  const words = new Set<string>();
  for await (const file of glob('src/**/*.ts')) {
    if (file.startsWith('src/settings')) continue;
    for (const [word] of (await readFile(file, 'utf8')).matchAll(/\b[a-z]\w*\b/gi)) words.add(word);
  }
  const unread = ALL_SETTINGS.map(({ name }) => name).filter((name) => !words.has(name.split('.')[1] ?? ''));
  assert.deepEqual(
    unread.filter((name) => !isPending(name)),
    [],
  );
});
