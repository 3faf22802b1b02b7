import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { backupsIn } from '../../src/backup/make/folder-sink.ts';
import { internalContext } from '../../src/context.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import type { SchemaMigration } from '../../src/database/migrations/schema-kit.ts';
import { updateIndex } from '../../src/search/index/update.ts';
import type { SettingsOverrides } from '../support/settings.ts';
import { differences, Instance, scratch } from './support.ts';

const onVolumes = (fast: string, big: string) => ({
  codeSearch: { enabled: true },
  repository: {
    volumes: [
      { name: 'fast', path: fast },
      { name: 'big', path: big },
    ],
    closedVolumes: ['default'],
  },
});
const source = await Instance.empty('as tests', onVolumes(await scratch(), await scratch()));
await source.start();
const alice = await source.user('alice', true);
const bob = await source.user('bob');
const folder = join(await scratch(), 'backups');
/** What the server responds at the moment of the last backup. */
let third: Record<string, string>;
const PATHS = [
  '/repos/search',
  '/repos/alice/code/branches',
  '/repos/alice/code/issues',
  '/repos/bob/code/contents',
  '/repos/alice/one/branches',
];
/** What the server responds when nothing is under way, and all code is indexed. */
async function responses(): Promise<Record<string, string>> {
  await source.settled();
  const context = internalContext(source.server.services);
  const rows = await context.db.selectFrom('repositories').select('id').where('state', '=', 'ready').execute();
  const run = { id: 0, attempt: 1, signal: new AbortController().signal, progress: () => {} };
  for (const { id } of rows) await updateIndex({ repositoryId: id }, context, run);
  return await source.responses('alice', PATHS);
}

/** Restores a backup into an empty instance and checks what that responds; returns it stopped, and where its repositories are. */
async function restored(
  from: string,
  expected: Record<string, string>,
  overrides: SettingsOverrides = {},
): Promise<{ target: Instance; places: Map<string, string> }> {
  const target = await Instance.empty(source.database ? 'as tests' : 'sqlite', overrides);
  await target.must('restore', '--from', from);
  await target.start();
  assert.deepEqual(differences(await target.responses('alice', PATHS), expected), []);
  const { db } = target.server.services.database;
  const rows = await db.selectFrom('repositories').select(['id', 'lower_name', 'owner_id', 'volume']).orderBy('id').execute();
  await target.stop();
  return { target, places: new Map(rows.map(({ id, volume }) => [`${id}.git`, volume])) };
}

describe('copse restore', () => {
  it('brings repositories back to their volumes, or to the default one where these are missing', async () => {
    await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
    await bob.must('POST', '/repos/alice/code/forks', {});
    await alice.must('POST', '/user/repos', { name: 'one', auto_init: true });
    const { db } = source.server.services.database;
    const move = db.selectFrom('repositories').select(['id', 'volume']).where('lower_name', '=', 'one');
    const before = await move.executeTakeFirstOrThrow();
    await source.must('repository', 'move', 'alice/one', '--to', before.volume === 'fast' ? 'big' : 'fast');
    await source.must('backup', '--to', folder);
    const places = new Map(
      (await db.selectFrom('repositories').select(['id', 'volume']).orderBy('id').execute()).map((row) => [`${row.id}.git`, row.volume]),
    );
    assert.deepEqual([...new Set(places.values())].sort(), ['big', 'fast']);
    const now = await responses();
    const own = [await scratch(), await scratch()] as const;
    const same = await restored(folder, now, onVolumes(...own));
    assert.deepEqual(same.places, places);
    assert.equal(await same.target.must('doctor', '--fsck'), 'nothing is wrong\n');
    for (const [name, volume] of places) {
      const paths = await readdir(own[volume === 'fast' ? 0 : 1], { recursive: true });
      assert.ok(
        paths.some((path) => path.endsWith(`${name}/HEAD`)),
        `${name} is not on ${volume}`,
      );
    }
    const fewer = { repository: { volumes: [{ name: 'big', path: await scratch() }] } };
    const { places: placed } = await restored(folder, now, fewer);
    assert.deepEqual(
      [...placed.values()],
      [...places.values()].map((volume) => (volume === 'big' ? 'big' : 'default')),
    );
  });

  it('takes the last of the backups of one second', async () => {
    const names = ['2026-01-02T03-04-05Z', '2026-01-02T03-04-05-2Z', '2026-01-02T03-04-05-10Z', '2026-01-02T03-04-06Z'];
    const several = await scratch();
    for (const name of names.toReversed()) await mkdir(join(several, name));
    assert.deepEqual(await backupsIn(several), names);
  });

  it('takes any backup of a chain, whichever of the others are left', async () => {
    const [first = ''] = await backupsIn(folder);
    await alice.must('POST', '/repos/alice/code/contents/a.txt', { content: btoa('second'), message: 'add' });
    await alice.must('POST', '/repos/alice/code/issues', { title: 'Second' });
    const second = await responses();
    await source.must('backup', '--to', folder);
    await alice.must('PUT', '/repos/alice/code/contents/a.txt', {
      content: btoa('third'),
      message: 'change',
      sha: (await alice.must('GET', '/repos/alice/code/contents/a.txt')).sha,
    });
    await alice.must('DELETE', '/repos/bob/code');
    third = await responses();
    await source.must('backup', '--to', folder);
    const [, middle = ''] = await backupsIn(folder);
    assert.notDeepEqual(second, third);
    // The second is built upon the first, and the third upon both.
    await rm(join(folder, first), { recursive: true });
    await restored(join(folder, middle), second);
    await rm(join(folder, middle), { recursive: true });
  });

  it('takes a backup of an older version, and brings the database up to date', async () => {
    const later: SchemaMigration = {
      name: '9001-later',
      phase: 'expand',
      async up(kit) {
        await kit.table('later_names', { id: 'id', name: 'text' });
        await kit.addColumn('repositories', 'later', 'text=later');
      },
    };
    const known = migrations as SchemaMigration[];
    known.push(later);
    try {
      const { target } = await restored(folder, third);
      assert.equal(await target.must('doctor'), 'nothing is wrong\n');
      assert.match(await target.must('migrate', '--check'), /^the database is up to date/);
    } finally {
      known.splice(known.indexOf(later), 1);
    }
  });

  it('and backups are monitored by the moment of the last one that is whole', async () => {
    const samples = async () => (await source.as('alice').get('//metrics')).text;
    const [, time] = /^copse_backup_last_success_timestamp_seconds (\d+)/m.exec(await samples()) ?? [];
    const [last = ''] = (await backupsIn(folder)).slice(-1);
    assert.equal(new Date(Number(time) * 1000).toISOString().slice(0, 19).replaceAll(':', '-'), last.slice(0, 19));
    const { code } = await source.run('backup', '--to', '/dev/null/nowhere');
    assert.notEqual(code, 0);
    const { db } = source.server.services.database;
    assert.equal((await db.selectFrom('made_backups').selectAll().execute()).length, 3);
  });
});
