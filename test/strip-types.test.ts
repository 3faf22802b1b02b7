import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';

const ORIGINAL = join(import.meta.dirname, '../src/strip-types.js');
const folder = await mkdtemp(join(tmpdir(), 'copse-strip-types-'));
after(() => rm(folder, { recursive: true }));
const [source, hook] = [join(folder, 'src/main.ts'), join(folder, 'src/strip-types.js')];

/** What a program of TypeScript prints that starts with the hook: its value, and whether it had to load what strips types, in a thread too. */
async function run(): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--require', hook, source], { env: {} });
  return JSON.parse(stdout);
}

function program(value: number): string {
  return `
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
const value: number = ${value};
const strips = process.moduleLoadList.some((name: string) => name.includes('amaro'));
if (!isMainThread) parentPort?.postMessage(strips);
else {
  const worker = new Worker(new URL(import.meta.url), { env: {}, execArgv: process.execArgv });
  worker.on('message', (inThread: boolean) => console.log(JSON.stringify({ value, strips, inThread })));
}
`;
}

describe('the cache of TypeScript without types', () => {
  beforeEach(async () => {
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    await mkdir(join(folder, 'src'), { recursive: true });
    await copyFile(ORIGINAL, hook);
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(source, program(1));
  });

  it('is filled by another process where a file is missing, so that the server never loads what strips types', async () => {
    assert.deepEqual(await run(), { value: 1, strips: false, inThread: false });
    assert.deepEqual(await readdir(join(folder, 'node_modules/.cache/copse', process.version)), ['main.ts.js']);
    assert.deepEqual(await run(), { value: 1, strips: false, inThread: false });
  });

  it('has nothing for a file that has changed', async () => {
    await run();
    await writeFile(source, program(2));
    assert.deepEqual(await run(), { value: 2, strips: false, inThread: false });
  });

  it('is not needed where it cannot be written', async () => {
    await writeFile(join(folder, 'node_modules'), '');
    assert.deepEqual(await run(), { value: 1, strips: true, inThread: true });
  });
});
