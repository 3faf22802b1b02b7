import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { onEachServer } from './ssh.ts';

const runs = await onEachServer({ server: { idleTimeout: 1000 } }, async ({ t, client }) => {
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  const bobs = client('bob');
  await bob.must('POST', '/user/keys', { title: 'laptop', key: bobs.publicKey });
  await alice.must('POST', '/user/repos', { name: 'demo', private: true, auto_init: true });
  await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'read' });
  return { alice, bobs };
});

for (const { name, skip, prepared } of runs) {
  it(`a fetch ends soon after its user has lost access, by ${name}`, { skip }, async () => {
    const { alice, bobs } = prepared();
    const [program = '', ...options] = bobs.command.split(' ');
    const [, user, host] = /^ssh:\/\/(.*)@(.*?):/.exec(bobs.remote('')) ?? [];
    const fetching = spawn(program, [...options, '-o', 'SendEnv=GIT_*', `${user}@${host}`, "git-upload-pack 'alice/demo'"], {
      env: { PATH: process.env.PATH, GIT_PROTOCOL: 'version=2' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    fetching.stdin.on('error', () => {});
    const ended = once(fetching, 'exit');
    await once(fetching.stdout, 'data');
    fetching.stdout.resume();
    // It is never idle.
    const asking = setInterval(() => fetching.stdin.write('0014command=ls-refs\n0000'), 50);
    await alice.must('DELETE', '/repos/alice/demo/collaborators/bob');
    await ended;
    clearInterval(asking);
  });
}
