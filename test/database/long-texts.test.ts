import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LONG_TEXTS } from '../../src/database/long-texts.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();

it('knows long texts by columns that exist', async () => {
  const tables = await t.context.db.introspection.getTables();
  const columns = new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)));
  assert.deepEqual(
    [...LONG_TEXTS].filter((name) => !columns.has(name)),
    [],
  );
});
