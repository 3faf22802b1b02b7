import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { environmentOf } from '../support/server-process.ts';
import { emptyTarget, recordedSource } from './support.ts';

const source = await recordedSource();

/** Imports in a process that is killed when a step has come so far. */
async function killAt(step: string, rows: number, dataDir: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const script = join(import.meta.dirname, 'killed.ts');
  const child = spawn(process.execPath, [script, source.config, step, String(rows)], {
    env: environmentOf(dataDir, environment),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
}

describe('an import that was killed', () => {
  it('goes on where it was, and is not served before its end', async () => {
    // Many rows, so that it is killed between two batches.
    for (let n = 0; n < 40; n++)
      source.change(
        `insert into repository (owner_id, owner_name, lower_name, name, is_empty, default_branch, created_unix, updated_unix)
         values (2, 'Alice', ?, ?, 1, 'main', 1, 1)`,
        `many-${n}`,
        `Many-${n}`,
      );
    const target = await emptyTarget();
    await killAt('repositories', 20, target.dataDir, target.environment);
    await assert.rejects(target.serve(), /an import has not been finished/);
    const other = await recordedSource();
    const refused = await target.run('--config', other.config);
    assert.match(refused.stderr, /import of another source is unfinished/);
    const { code, stdout, stderr } = await target.run('--config', source.config);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, /users: 0 of/);
    const { as } = await target.serve();
    const { json } = await as('Alice').get('/repos/search?limit=50');
    assert.equal(json.data.length, 47);
    const { json: made } = await as('Alice').get('/repos/Alice/Many-39');
    assert.equal(made.id, 47);
    assert.equal((await target.run('--config', source.config)).code, 1);
  });
});
