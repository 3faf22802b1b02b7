import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { SETTINGS_TABLE } from '../../src/settings/table.ts';

it('has no setting that nothing reads', async () => {
  const files: Set<string>[] = [];
  for await (const file of glob('src/**/*.ts')) {
    if (/^src\/settings\/(groups|table)/.test(file)) continue;
    files.push(new Set((await readFile(file, 'utf8')).match(/\w+/g)));
  }
  // Settings are read as `settings.group.key`, or taken out of their group: both words stand in one file, or the group is handed on whole.
  const isRead = (group: string, key: string) => files.some((words) => words.has(key)) && files.some((words) => words.has(group));
  const names = Object.entries(SETTINGS_TABLE).flatMap(([group, { settings }]) =>
    Object.keys(settings).map((key) => [group, key] as const),
  );
  assert.deepEqual(
    names.filter(([group, key]) => !isRead(group, key)),
    [],
  );
});
