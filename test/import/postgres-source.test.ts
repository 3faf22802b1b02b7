import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { afterwards } from '../support/afterwards.ts';
import { newDatabase } from '../support/database.ts';
import { emptyTarget, recordedSource, SECRET_KEY } from './support.ts';

const source = await recordedSource();
const { url, drop } = await newDatabase(join(source.folder, 'other.db'));
afterwards(drop);

/** The recorded tables as Gitea makes them in PostgreSQL, in a schema of their own. */
async function fill(client: pg.Client): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, 'gitea/source.sql'), 'utf8');
  await client.query('create schema gitea; set search_path to gitea');
  for (const statement of sql.split(/;\n(?=CREATE|INSERT|$)/)) {
    if (statement.startsWith('INSERT'))
      await client.query(statement.replace(/`(\w+)`/, '"$1"').replaceAll(/\bX'([0-9a-f]*)'/gi, "'\\x$1'"));
    else if (statement.startsWith('CREATE')) await client.query(tableOf(statement));
  }
  await client.query(`alter table "user" alter is_admin type boolean using is_admin = 1, alter is_active type boolean using is_active = 1`);
}

function tableOf(statement: string): string {
  return statement
    .replaceAll('`', '"')
    .replace('INTEGER PRIMARY KEY AUTOINCREMENT', 'BIGSERIAL PRIMARY KEY')
    .replaceAll(' INTEGER', ' BIGINT')
    .replaceAll(' DATETIME', ' TIMESTAMP')
    .replaceAll(' BLOB', ' BYTEA')
    .replaceAll(/DEFAULT (?:true|false)/gi, 'DEFAULT 0')
    .replaceAll('" UUID', '" TEXT');
}

describe('a Gitea on PostgreSQL', { skip: url === '' && 'this run has no PostgreSQL' }, () => {
  it('is imported like one on SQLite, and nothing is written to it', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await fill(client);
    const { hostname, port, pathname, username, password, searchParams } = new URL(url);
    // A socket is named by its folder.
    const host = searchParams.get('host') ?? `${hostname}:${port || 5432}`;
    const database = [
      ...['[database]', 'DB_TYPE = postgres', `HOST = ${host}`, `NAME = ${pathname.slice(1)}`],
      ...[`USER = ${decodeURIComponent(username)}`, `PASSWD = \`${decodeURIComponent(password)}\``, 'SCHEMA = gitea'],
    ];
    const rest = ['[repository]', 'ROOT = repos', '[security]', `SECRET_KEY = ${SECRET_KEY}`];
    await writeFile(source.config, [...database, ...rest].join('\n'));
    const target = await emptyTarget();
    const { code, stdout, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^imported \d{3} rows/m);
    const { as } = await target.serve();
    const { json } = await as('Alice').get('/user');
    assert.deepEqual([json.id, json.is_admin, json.active], [2, false, true]);
    assert.equal((await as('root', 'Passw0rd-conf').get('/user')).json.is_admin, true);
    assert.equal((await as('Alice').get('/repos/Alice/Demo/issues/1')).json.title, 'One, renamed');
    assert.equal((await as('Alice').get('/repos/Alice/Demo/pulls/3')).json.mergeable, true);
    await client.query('set search_path to gitea');
    const { rows } = await client.query('select count(*)::integer as total from "user"');
    await client.end();
    assert.equal(rows[0].total, 6);
    await writeFile(source.config, [...database, 'NAME = missing', ...rest].join('\n'));
    assert.match((await (await emptyTarget()).run('--config', source.config)).stderr, /the database missing on .* cannot be read/);
  });
});
