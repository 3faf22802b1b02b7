// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { makeFolder, privateOwner, runProgram, withoutClient, withoutProgram } from './program.ts';

it('npm publishes, installs and unpublishes packages of a scope', { skip: withoutProgram('npm') }, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const { password: token } = await alice.token(['write:package']);
  const url = `${t.url}api/packages/alice/npm/`;
  const config = `@alice:registry=${url}\n${url.replace(/^http:/, '')}:_authToken=${token}\n`;
  const folder = async (name: string, manifest: Record<string, unknown>) => {
    const cwd = await makeFolder(t, name, { '.npmrc': config, 'package.json': JSON.stringify({ version: '1.0.0', ...manifest }) });
    return (...args: string[]) => runProgram('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd });
  };
  const publisher = await folder('publisher', { name: '@alice/left' });
  await publisher('publish');
  const user = await folder('user', { name: 'user' });
  await user('install', '@alice/left');
  const installed = JSON.parse(await readFile(join(t.folder, 'user/node_modules/@alice/left/package.json'), 'utf8'));
  assert.equal(installed.version, '1.0.0');
  await publisher('unpublish', '@alice/left@1.0.0', '--force');
  assert.deepEqual(await alice.must('GET', '/packages/alice?type=npm'), []);
});

it('npm installs what fits the machine, and runs the scripts of packages', { skip: withoutProgram('npm') }, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const { password: token } = await alice.token(['write:package']);
  const url = `${t.url}api/packages/alice/npm/`;
  const config = `registry=${url}\n${url.replace(/^http:/, '')}:_authToken=${token}\n`;
  const run = async (name: string, manifest: Record<string, unknown>, ...args: string[]) => {
    const cwd = await makeFolder(t, name, {
      '.npmrc': config,
      'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }),
    });
    return await runProgram('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd });
  };
  await run('elsewhere', { os: ['none'] }, 'publish');
  const scripts = { postinstall: `node -e "require('fs').writeFileSync('ran', '')"` };
  await run('scripted', { optionalDependencies: { elsewhere: '1.0.0' }, scripts }, 'publish');
  assert.equal((await run('user', {}, 'whoami')).trim(), 'alice');
  await run('user', {}, 'ping');
  await run('user', { dependencies: { scripted: '1.0.0' } }, 'install');
  assert.deepEqual(
    (await readdir(join(t.folder, 'user/node_modules'))).filter((name) => !name.startsWith('.')),
    ['scripted'],
  );
  assert.ok((await readdir(join(t.folder, 'user/node_modules/scripted'))).includes('ran'));
});

const REFUSED = /40[13]|[Uu]nauthorized|Invalid authentication|Couldn't find package/;

/** What clients are called with. */
const CLIENTS = {
  npm: { publish: ['publish'], install: ['install'] },
  pnpm: { publish: ['publish', '--no-git-checks'], install: ['add'] },
  yarn: { publish: ['publish', '--non-interactive'], install: ['add', '--non-interactive'] },
  'yarn-berry': { publish: ['npm', 'publish'], install: ['add'] },
} as const;

for (const [client, { publish, install }] of Object.entries(CLIENTS)) {
  it(`${client} publishes and installs packages of a private account, and is refused`, { skip: withoutClient(client) }, async () => {
    const t = await testServer();
    const { owner, refused, hidden } = await privateOwner(t, 'alice');
    const url = `${t.url}api/packages/alice/npm/`;
    const run = async (folder: string, manifest: Record<string, unknown>, token: string, args: readonly string[]) => {
      const cwd = await makeFolder(t, folder, {
        'package.json': JSON.stringify({ version: '1.0.0', license: 'MIT', ...manifest }),
        '.npmrc': `@alice:registry=${url}\n${url.replace(/^http:/, '')}:_authToken=${token}\n`,
        ...(client === 'yarn-berry' && { '.yarnrc.yml': berryConfig(url, token), 'yarn.lock': '' }),
      });
      const place = { cwd, env: { CI: '1', YARN_CACHE_FOLDER: join(cwd, 'cache') } };
      if (client === 'yarn-berry') await runProgram(client, ['install'], place);
      return await runProgram(client, args, place);
    };
    const left = { name: '@alice/left', publishConfig: { registry: url } };
    for (const [who, { password }] of Object.entries(refused)) {
      const published = run('publisher', left, password, publish);
      // The classic one says that it has published.
      await (client === 'yarn' ? published : assert.rejects(published, REFUSED, who));
      assert.equal((await owner.get('//api/packages/alice/npm/@alice%2fleft')).status, 404);
    }
    await run('publisher', left, owner.password, publish);
    for (const [who, { password }] of Object.entries(hidden)) {
      const name = `user of ${who}`;
      await assert.rejects(run(name, { name: 'user' }, password, [...install, '@alice/left']), REFUSED, who);
    }
    await run('user', { name: 'user' }, owner.password, [...install, '@alice/left']);
    const installed = JSON.parse(await readFile(join(t.folder, 'user/node_modules/@alice/left/package.json'), 'utf8'));
    assert.equal(installed.version, '1.0.0');
  });
}

function berryConfig(url: string, token: string): string {
  return [
    'enableTelemetry: false',
    'enableGlobalCache: false',
    'enableImmutableInstalls: false',
    'nodeLinker: node-modules',
    "unsafeHttpWhitelist: ['127.0.0.1']",
    `npmScopes: { alice: { npmRegistryServer: '${url}', npmPublishRegistry: '${url}', npmAlwaysAuth: true, npmMinimalAgeGate: 0, npmAuthToken: '${token}' } }`,
  ].join('\n');
}
