// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

const NUSPEC =
  '<?xml version="1.0"?><package><metadata><id>Copse.Tool</id><version>1.0.0</version><authors>Ann</authors><description>x</description></metadata><files><file src="tool.txt" target="content"/></files></package>';

it('nuget pushes, installs from both feeds and deletes packages of a private account, and is refused', {
  skip: withoutClient('mono', 'nuget.exe'),
}, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const url = `${t.url}api/packages/alice/nuget/`;
  let folders = 0;
  const nuget = async ({ name, password }: Credential, ...args: string[]) => {
    const sources = `<packageSources><clear/><add key="alice" value="${url}index.json" protocolVersion="3"/><add key="old" value="${url}" protocolVersion="2"/></packageSources>`;
    const credential = `<add key="Username" value="${name}"/><add key="ClearTextPassword" value="${password}"/>`;
    const credentials = `<packageSourceCredentials><alice>${credential}</alice><old>${credential}</old></packageSourceCredentials>`;
    const cwd = await makeFolder(t, `nuget-${++folders}`, {
      'nuget.config': `<?xml version="1.0"?><configuration>${sources}${credentials}</configuration>`,
      'tool.nuspec': NUSPEC,
      'tool.txt': 'tool',
    });
    const program = join(process.env.COPSE_TEST_CLIENTS ?? '', 'bin/nuget.exe');
    const run = (...given: string[]) => runProgram('mono', [program, ...given, '-NonInteractive', '-ConfigFile', 'nuget.config'], { cwd });
    if (args[0] === 'push') await runProgram('mono', [program, 'pack', 'tool.nuspec', '-NonInteractive'], { cwd });
    await run(...args);
    return cwd;
  };
  const push = (who: Credential) => nuget(who, 'push', 'Copse.Tool.1.0.0.nupkg', '-Source', 'alice', '-ApiKey', who.password);
  const install = (who: Credential, source = 'alice') =>
    nuget(who, 'install', 'Copse.Tool', '-Source', source, '-OutputDirectory', 'packages', '-NoCache', '-DirectDownload');
  for (const [who, credential] of Object.entries(refused)) await assert.rejects(push(credential), /401|Unauthorized/, who);
  await push(owner);
  await assert.rejects(push(owner), /409|Conflict/);
  for (const source of ['alice', 'old']) {
    for (const [who, credential] of Object.entries(hidden)) await assert.rejects(install(credential, source), /401|Unauthorized/, who);
    const cwd = await install(owner, source);
    assert.equal(await readFile(join(cwd, 'packages/Copse.Tool.1.0.0/content/tool.txt'), 'utf8'), 'tool');
  }
  await nuget(owner, 'delete', 'Copse.Tool', '1.0.0', '-Source', 'alice', '-ApiKey', owner.password);
  await assert.rejects(install(owner), /Unable to find|NotFound|404/);
});
