// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

it('gem pushes, gem and bundler install with dependencies, and are refused', { skip: withoutClient('gem', 'bundle') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const source = `${t.url}api/packages/alice/rubygems`;
  const signedIn = ({ name, password }: Credential) => `${source.replace('://', `://${name}:${password}@`)}/`;
  const about = (name: string, more = '') =>
    `Gem::Specification.new { |s| s.name = '${name}'; s.version = '1.0.0'; s.summary = 'x'; s.authors = ['a']; s.files = []; ${more} }\n`;
  const cwd = await makeFolder(t, 'gem', {
    'base.gemspec': about('base'),
    'tool.gemspec': about('tool', "s.add_dependency 'base', '~> 1.0'"),
  });
  const gem = (args: string[], env = {}) => runProgram('gem', args, { cwd, env });
  const push = (name: string, { password }: Credential) =>
    gem(['push', '--host', source, `${name}-1.0.0.gem`], { GEM_HOST_API_KEY: `Bearer ${password}` });
  for (const name of ['base', 'tool']) {
    await gem(['build', `${name}.gemspec`]);
    for (const [who, credential] of Object.entries(refused)) await assert.rejects(push(name, credential), /./, who);
    assert.equal((await owner.get(`//api/packages/alice/rubygems/info/${name}`)).status, 404);
    await push(name, owner);
  }
  // Elsewhere: the packages that were built are installed before those of a source.
  const user = await makeFolder(t, 'user');
  const install = (who: Credential) =>
    runProgram('gem', ['install', '--clear-sources', '--source', signedIn(who), '--install-dir', `${user}/gems`, '--no-document', 'tool'], {
      cwd: user,
    });
  for (const [who, credential] of Object.entries(hidden))
    await assert.rejects(install(credential), /401|Unauthorized|bad response|Could not find/, who);
  assert.match(await install(owner), /2 gems installed/);
  const bundle = async (who: Credential) => {
    const folder = await makeFolder(t, `bundle-${who.name}-${who.password.length}`, { Gemfile: `source '${signedIn(who)}'\ngem 'tool'\n` });
    return await runProgram('bundle', ['install'], { cwd: folder, env: { BUNDLE_PATH: `${folder}/vendor` } });
  };
  for (const [who, credential] of Object.entries(hidden)) await assert.rejects(bundle(credential), /401|[Aa]uthenticat|Bad username/, who);
  assert.match(await bundle(owner), /Installing tool 1\.0\.0/);
  await gem(['yank', 'tool', '-v', '1.0.0', '--host', source], { GEM_HOST_API_KEY: `Bearer ${owner.password}` });
  assert.doesNotMatch((await owner.get('//api/packages/alice/rubygems/versions')).text, /^tool/m);
});
