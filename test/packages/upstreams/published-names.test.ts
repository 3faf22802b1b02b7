import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Kysely } from 'kysely';
import { packageUpstreams } from '../../../src/database/migrations/0355-package-upstreams.ts';
import { SchemaKit } from '../../../src/database/migrations/schema-kit.ts';
import type { PackageType } from '../../../src/database/tables/package-types.ts';
import { nameKey, namespaceOf } from '../../../src/packages/upstreams/names.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer();
const NAMES: readonly (readonly [PackageType, string])[] = [
  ['npm', '@a/b'],
  ['npm', 'c'],
  ['maven', 'com.x:y'],
  ['container', 'library/nginx'],
  ['container', 'alone'],
  ['go', 'github.com/x/y'],
  ['go', 'example.com/z'],
  ['go', 'alone'],
  ['pypi', 'My--Tool.x_y'],
  ['cargo', 'a_b-c'],
  ['generic', 'tool'],
];

it('names of packages that were published before there were upstreams are noted as those since', async () => {
  const { db, database } = t.context;
  const { id: owner_id } = await db.selectFrom('users').select('id').where('lower_name', '=', 'admin').executeTakeFirstOrThrow();
  const rows = NAMES.map(([type, name]) => ({ owner_id, repository_id: null, type, name, lower_name: name.toLowerCase(), created_at: 1 }));
  await db.insertInto('packages').values(rows).execute();
  for (const table of ['package_upstream_fetches', 'package_upstream_files', 'package_names', 'package_upstreams']) {
    await db.schema.dropTable(table).execute();
  }
  await packageUpstreams.up(new SchemaKit(db as unknown as Kysely<unknown>, database.dialect));
  const noted = await db
    .selectFrom('package_names')
    .innerJoin('packages', 'packages.id', 'package_names.package_id')
    .select(['packages.type', 'package_names.name', 'namespace'])
    .orderBy('packages.id')
    .execute();
  const expected = NAMES.map(([type, name]) => ({ type, name: nameKey(type, name), namespace: namespaceOf(type, nameKey(type, name)) }));
  assert.deepEqual(noted, expected);
});
