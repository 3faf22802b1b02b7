// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

const RECIPE = `from conan import ConanFile

class Tool(ConanFile):
    name = "tool"
    version = "1.0"
    license = "MIT"

    def package(self):
        import os
        open(os.path.join(self.package_folder, "tool.txt"), "w").write("tool")
`;

it('conan uploads, lists and installs packages of a private account, and is refused', { skip: withoutClient('conan') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  let folders = 0;
  const as = async ({ name, password }: Credential) => {
    const cwd = await makeFolder(t, `conan-${++folders}`, { 'conanfile.py': RECIPE, profile: '[settings]\nos=Linux\n' });
    const env = { CONAN_HOME: `${cwd}/home`, CONAN_LOGIN_USERNAME_ALICE: name, CONAN_PASSWORD_ALICE: password };
    const conan = (...args: string[]) => runProgram('conan', args, { cwd, env });
    await conan('remote', 'remove', '*');
    await conan('remote', 'add', '--insecure', 'alice', `${t.url}api/packages/alice/conan`);
    return conan;
  };
  const upload = async (who: Credential) => {
    const conan = await as(who);
    await conan('create', '.', '-pr:a', './profile');
    await conan('upload', 'tool/1.0', '-r', 'alice', '--confirm');
  };
  const install = async (who: Credential) => (await as(who))('install', '--requires=tool/1.0', '-pr:a', './profile', '-r', 'alice');
  for (const [who, credential] of Object.entries(refused))
    await assert.rejects(upload(credential), /401|[Aa]uthentication|[Ww]rong user|[Ff]orbidden/, who);
  await upload(owner);
  for (const [who, credential] of Object.entries(hidden))
    await assert.rejects(install(credential), /401|[Aa]uthentication|[Ww]rong user|[Ff]orbidden/, who);
  await install(owner);
  const conan = await as(owner);
  assert.match(await conan('list', 'tool/*', '-r', 'alice'), /tool\/1\.0/);
  await conan('remove', 'tool/1.0', '-r', 'alice', '--confirm');
  await assert.rejects(install(owner), /not found|Unable to find|404/);
});
