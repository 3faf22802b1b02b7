import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { emptyTarget, recordedSource } from './support.ts';

// On SQLite alone: what differs is the source, which is SQLite in any case.

/** The recorded tables as Forgejo 9 has them, as far as they differ. */
const source = await recordedSource();
for (const [table, columns] of Object.entries({
  action_run: ['need_approval', 'approved_by', 'raw_concurrency', 'concurrency_cancel'],
  action_run_job: ['raw_concurrency', 'is_concurrency_evaluated', 'concurrency_cancel', 'token_permissions'],
  action_runner: ['ephemeral', 'is_disabled'],
  badge: ['slug'],
  protected_branch: ['block_admin_merge_override'],
  repo_unit: ['anonymous_access_mode', 'everyone_access_mode'],
  repository: ['default_wiki_branch'],
}))
  for (const column of columns) dropColumn(table, column);
for (const statement of [
  'create table forgejo_version (id integer primary key, version integer)',
  'insert into forgejo_version values (1, 22)',
  'update version set version = 303',
  "alter table repository add column wiki_branch text default 'main'",
  'alter table repo_unit add column default_permissions integer default 0',
  'update repo_unit set default_permissions = 3 where repo_id = 2 and type = 5',
  `update repo_unit set config = '{"EnableTimetracker":true}' where repo_id = 2 and type = 2`,
  'alter table protected_branch add column apply_to_admins integer default 1',
  "alter table attachment add column external_url text default ''",
  "update attachment set external_url = 'https://other.example/file' where name = 'demo.bin'",
  "insert into badge (id, description) values (1, 'Helps')",
  "update package set name = 'org.example-core', lower_name = 'org.example-core' where type = 'maven'",
  "insert into package (id, owner_id, repo_id, type, name, lower_name) values (91, 2, 0, 'arch', 'pacman', 'pacman')",
  "insert into package (id, owner_id, repo_id, type, name, lower_name) values (92, 2, 0, 'maven', 'a-b-c', 'a-b-c')",
  'create table quota_rule (id integer primary key, name text)',
  "insert into quota_rule values (1, 'small')",
])
  source.change(statement);

function dropColumn(table: string, column: string): void {
  source.change(`alter table ${table} drop column ${column}`);
}

const target = await emptyTarget();
let said = '';
let served: Awaited<ReturnType<typeof target.serve>>;

describe('an import of Forgejo 9', () => {
  before(async () => {
    const { code, stdout, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    said = stdout;
    served = await target.serve();
  });

  it('takes over what the tables have under other names', async () => {
    const alice = served.as('Alice');
    const [protection] = (await alice.get('/repos/Alice/Demo/branch_protections')).json;
    assert.equal(protection.block_admin_merge_override, true);
    const { db } = served.server.services.database;
    const repository = await db.selectFrom('repositories').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
    assert.deepEqual([repository.default_wiki_branch, repository.units.wiki?.everyoneAccess], ['main', 2]);
    // Of an old repository, from before there were others.
    assert.deepEqual(repository.units.issues, { timeTracking: true, onlyContributorsTrackTime: false, dependencies: false });
    assert.deepEqual(await db.selectFrom('badges').select(['id', 'slug']).execute(), [{ id: 1, slug: 'badge-1' }]);
  });

  it('finds Maven packages by their names of today', async () => {
    const alice = served.as('Alice');
    assert.match((await alice.get('//api/packages/Alice/maven/org/example/core/maven-metadata.xml')).text, /<artifactId>core</);
    assert.match(said, /package 92 \(maven a-b-c\): it has no POM that says where its group ends/);
  });

  it('keeps runs and runners', async () => {
    const { json } = await served.as('Alice').get('/repos/Alice/automated/actions/runs/1/jobs');
    assert.deepEqual(
      json.jobs.map(({ name, runner_name }: Record<string, string>) => [name, runner_name]),
      [
        ['first', 'builder'],
        ['second', undefined],
      ],
    );
  });

  it('says what there is no place for', () => {
    assert.match(said, /package 91 \(arch pacman\): Forgejo notes packages of this type in another way/);
    assert.match(said, /attachment \d+ \(demo\.bin\): it is a link to another place/);
    assert.match(said, /quota_rule: limits of Forgejo on what accounts store \(1\) are not imported/);
  });
});
