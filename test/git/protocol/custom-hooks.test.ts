import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { customHooksOf, readCustomHook, removeCustomHook, writeCustomHook } from '../../../src/git/protocol/custom-hooks.ts';
import type { FinishedPush } from '../../../src/git/protocol/receive-pack.ts';
import { type Served, serve } from '../served.ts';
import { client } from '../writing.ts';

let repository: Served['repository'];
let rules: Served['rules'];
let tree: string;

describe('hooks of a repository’s own', () => {
  beforeEach(async () => {
    ({ repository, rules, tree } = await serve());
  });

  it('run after the server has agreed, if they are allowed, and cannot speak to it', async () => {
    const finished: FinishedPush[] = [];
    rules.postReceive = async (push) => {
      finished.push(push);
      return [];
    };
    await writeCustomHook(repository, 'pre-receive', '#!/bin/sh\r\necho "no pushes today, $PUSHER" >&2\r\ncat >&2\nexit 1\n');
    assert.equal((await client(tree, ['push', '-q', 'origin', 'main:before'])).code, 0);
    rules.customHooks = true;
    const { code, stderr } = await client(tree, ['push', 'origin', 'main']);
    assert.equal(code, 1);
    assert.match(stderr, /remote: no pushes today, alice *\nremote: 0{40} [0-9a-f]{40} refs\/heads\/main/);
    await writeCustomHook(repository, 'pre-receive', '#!/bin/sh\nif echo post-receive >&3; then exit 1; fi 2>/dev/null\n');
    await writeCustomHook(repository, 'update', '#!/bin/sh\ncase $1 in refs/heads/no*) exit 1;; esac\n');
    await writeCustomHook(repository, 'post-receive', '#!/bin/sh\necho told of >&2; cat >&2\n');
    const mixed = await client(tree, ['push', 'origin', 'main', 'main:nope']);
    assert.equal(mixed.code, 1);
    assert.match(mixed.stderr, /nope \(hook declined\)/);
    assert.match(mixed.stderr, /remote: told of *\nremote: .* refs\/heads\/main/);
    assert.deepEqual(
      finished.at(-1)?.commands.map(({ ref }) => ref),
      ['refs/heads/main'],
    );
    rules.preReceive = async () => ({ ok: false, lines: ['the server says no'] });
    assert.match((await client(tree, ['push', 'origin', 'main:later'])).stderr, /the server says no/);
  });

  it('are read, replaced and removed', async () => {
    assert.equal(await readCustomHook(repository, 'update'), undefined);
    await writeCustomHook(repository, 'update', 'a\r\n');
    await writeCustomHook(repository, 'update', 'b\r\nc');
    assert.equal(await readCustomHook(repository, 'update'), 'b\nc');
    assert.deepEqual(customHooksOf(repository), ['update']);
    await writeCustomHook(repository, 'update', ' \n');
    assert.equal(await removeCustomHook(repository, 'update'), false);
    assert.deepEqual(customHooksOf(repository), []);
  });
});
