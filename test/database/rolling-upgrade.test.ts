import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../../src/cli/run.ts';
import { migrateDatabase, openDatabase } from '../../src/database/database.ts';
import { databaseOptions } from '../../src/database/from-settings.ts';
import { DatabaseVersionError, OlderProcessesError } from '../../src/database/migrate.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import type { SchemaMigration } from '../../src/database/migrations/schema-kit.ts';
import { createLogger } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/database.ts';
import { testSettings } from '../support/settings.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-upgrade-'));
const dataDir = join(folder, 'data');
await mkdir(dataDir);
const database = await newDatabase(join(dataDir, 'copse.db'));
afterwards(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
const PASSWORD = 'Test-Passw0rd';
const settings = testSettings({
  server: { dataDir, port: 0 },
  database: database.url ? { url: database.url } : {},
  admin: { username: 'root', password: PASSWORD },
  log: { level: 'silent' },
});
const options = databaseOptions(settings);
const log = createLogger(settings.log);

/** What a newer version adds, and what it removes once no older process needs it. */
const expand: SchemaMigration = {
  name: '9001-expand',
  phase: 'expand',
  up: (kit) => kit.addColumn('repositories', 'upgraded', 'text=new'),
};
const contract: SchemaMigration = {
  name: '9002-contract',
  phase: 'contract',
  up: async (kit) => {
    await kit.db.schema.alterTable('repositories').dropColumn('upgraded').execute();
  },
};
const later: SchemaMigration = { name: '9003-later', phase: 'expand', up: (kit) => kit.addColumn('users', 'upgraded', 'text?') };
const newer = [...migrations, expand, contract, later];

async function copse(...args: string[]): Promise<string> {
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const environment = { COPSE_DATA_DIR: dataDir, ...(database.url && { DATABASE_URL: database.url }) };
  return `${await runCommand(args, { environment, secret: async () => '', out: write, error: write })} ${said}`;
}
const open = async (known: readonly SchemaMigration[]) => {
  const opened = await openDatabase({ ...options, migrations: known });
  await opened.close();
  return opened.waiting;
};

it('the migrations are listed in the order of their names, in which databases and backups name them', () => {
  const names = migrations.map(({ name }) => name);
  assert.deepEqual(names, names.toSorted());
});

describe('migrations', () => {
  it('say from 0410 on what older programs make of them', () => {
    assert.deepEqual(
      migrations.filter(({ name, phase }) => name >= '0410' && phase === undefined),
      [],
    );
  });

  it('are made while older processes serve, but for those that remove what these need', async (test) => {
    if (!database.url) return test.skip('SQLite has one server');
    const old = await startServer(settings, log);
    const asRoot = (url: string) => new Client(() => url, { name: 'root', password: PASSWORD });
    let isUpgrading = true;
    const used = async (url: string) => {
      for (let n = 0; isUpgrading || n === 0; n++) await asRoot(url).must('POST', '/user/repos', { name: `${new URL(url).port}-${n}` });
    };
    const serving = used(old.url);
    serving.catch(() => {});
    assert.match(await copse('migrate', '--check'), /^0 the database is up to date/);
    const server = await startServer(settings, log, { migrations: newer });
    assert.deepEqual(server.services.database.waiting, ['9002-contract']);
    const both = used(server.url);
    assert.deepEqual(await server.services.database.migrateWaiting(), ['9002-contract']);
    assert.match(await copse('migrate', '--check'), /^0 the database is up to date\nmade by a newer version.*: 9001-expand, 9003-later/);
    isUpgrading = false;
    await Promise.all([serving, both]);
    await old.services.database.requireCompatible();
    // A migration that says nothing waits for older processes to stop, as those before there were phases.
    const silent = { name: '9004-silent', up: later.up };
    await assert.rejects(migrateDatabase({ ...options, migrations: [...newer, silent] }), OlderProcessesError);
    await old.close();
    assert.deepEqual(await server.services.database.migrateWaiting(), []);
    await asRoot(server.url).must('POST', '/user/repos', { name: 'contracted' });
    await server.close();
  });

  it('are refused by older programs that cannot live with them', async () => {
    if (!database.url) {
      assert.deepEqual(await open([...migrations, expand]), []);
      // An older program goes on with what was only added.
      assert.deepEqual(await open(migrations), []);
      assert.deepEqual(await open(newer), []);
    }
    await assert.rejects(
      open(migrations),
      (error) => error instanceof DatabaseVersionError && /it has 9002-contract, which/.test(error.message),
    );
    await assert.rejects(open([...migrations.slice(0, -1), { ...expand, name: '9000-other' }]), DatabaseVersionError);
    assert.match(await copse('migrate', '--check'), /^2 copse migrate: the database was used by a newer version/);
  });
});
