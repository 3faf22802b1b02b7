import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitLimitError, runGit } from '../../../src/git/processes/process.ts';
import { serveHooks } from '../../../src/git/protocol/hooks.ts';
import { serveProcReceive } from '../../../src/git/protocol/proc-receive.ts';
import { readPushHead } from '../../../src/git/protocol/push-commands.ts';
import { processorTime } from '../../support/processor-time.ts';
import { createFixture } from '../fixture.ts';

/** A git command that starts another process and leaves its output to it. */
async function withStray<T>(script: string, use: (args: string[], cwd: string) => Promise<T>): Promise<T> {
  await using fixture = await createFixture([{ files: { a: '1' } }]);
  const file = join(fixture.repository.path, 'stray');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return await use(['-c', `alias.stray=!${file}`, 'stray'], fixture.repository.path);
}

describe('a git process', () => {
  it('is ended at its deadline with all that it has started', () =>
    withStray('(while :; do echo tick >> ticks; sleep 0.1; done) & wait', async (args, cwd) => {
      const ticks = join(cwd, 'ticks');
      // A busy machine needs longer for the first tick.
      for (const timeoutMs of [1000, 10_000, 100_000]) {
        await assert.rejects(runGit(args, { cwd, timeoutMs }), GitLimitError);
        if (existsSync(ticks)) break;
      }
      const { size } = await stat(ticks);
      await sleep(1000);
      assert.equal((await stat(ticks)).size, size);
    }));

  it('is not waited for on account of what it leaves behind', () =>
    withStray('echo done; sleep 600 &', async (args, cwd) => {
      const { stdout } = await runGit(args, { cwd, timeoutMs: 300_000 });
      assert.equal(stdout.toString(), 'done\n');
    }));

  it('that crashes has met a limit of its own', () =>
    withStray('kill -SEGV $PPID; sleep 600', async (args, cwd) => {
      await assert.rejects(runGit(args, { cwd, timeoutMs: 300_000 }), GitLimitError);
    }));
});

describe('what git says to the server', () => {
  it('does not end the server where it makes no sense', async () => {
    const channel = new PassThrough();
    const errors: unknown[] = [];
    serveHooks(
      channel,
      'sha1',
      async () => ({ ok: true, lines: [] }),
      (error) => errors.push(error),
    );
    channel.write('no-hook\n\n\n\n.\n');
    await new Promise((resolve) => channel.on('close', resolve));
    assert.equal(errors.length, 1);
  });

  it('does not end the server if a response does not fit', async () => {
    const channel = new PassThrough();
    const errors: unknown[] = [];
    const ref = 'r'.repeat(65_500);
    serveProcReceive(
      channel,
      async () => [{ ref, refused: 'because '.repeat(100) }],
      (error) => errors.push(error),
    );
    channel.write('000eversion=1\n00000000');
    await new Promise((resolve) => channel.on('close', resolve));
    assert.equal(errors.length, 1);
  });
});

describe('the head of a push', () => {
  it('costs no more in small pieces than in large ones', async () => {
    const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/${'b'.repeat(100)}`;
    const packet = Buffer.from((line.length + 4).toString(16).padStart(4, '0') + line);
    async function* pieces() {
      for (let i = 0; i < 40_000; i++) yield packet;
      yield Buffer.from('0000');
    }
    const time = await processorTime(async () => {
      const { commands } = await readPushHead(pieces(), 'sha1');
      assert.equal(commands.length, 40_000);
    });
    // Copying and parsing all that came before, for each piece, takes minutes.
    assert.ok(time < 5000, `${time} ms`);
  });
});
