// On SQLite alone: this is about git and files.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { folderFindings } from '../../../src/repositories/doctor/folders.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer();
await t.admin.post('/user/repos', { name: 'sound', auto_init: true });

describe('check of the objects of a repository', () => {
  it('does not call damaged what could not be checked in time', async () => {
    const { settings } = t.context;
    const findings = (maintenanceTimeout: number) =>
      Array.fromAsync(
        folderFindings({ ...t.context, settings: { ...settings, git: { ...settings.git, maintenanceTimeout } } }, { fsck: true }),
      );
    assert.deepEqual(
      (await findings(60_000)).map(({ text }) => text),
      [],
    );
    // Now and then a check ends within a millisecond of the timer's time.
    let [late] = await findings(1);
    for (let attempt = 1; late === undefined && attempt < 50; attempt++) [late] = await findings(1);
    assert.match(late?.text ?? '', /could not be checked: no end within 1 ms/);
  });
});
