// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

it('cargo publishes, yanks and builds with crates of a private account, and is refused', { skip: withoutClient('cargo') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const url = `${t.url}api/packages/alice/cargo/`;
  const config = [
    '[registries.alice]',
    `index = "sparse+${url}"`,
    'credential-provider = ["cargo:token"]',
    '[source.crates-io]',
    'replace-with = "alice"',
    '[source.alice]',
    `registry = "sparse+${url}"`,
  ].join('\n');
  const manifest = (name: string, more = '') =>
    `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\nlicense = "MIT"\ndescription = "x"\n${more}`;
  const cargo = async (folder: string, files: Record<string, string>, token: string, ...args: string[]) => {
    const cwd = await makeFolder(t, folder, { '.cargo/config.toml': config, ...files });
    // rustup finds its toolchain in the home of the user who runs the tests.
    const { HOME = '', RUSTUP_HOME = `${HOME}/.rustup` } = process.env;
    const env = { CARGO_HOME: `${cwd}/home`, RUSTUP_HOME, CARGO_REGISTRIES_ALICE_TOKEN: `Bearer ${token}` };
    return await runProgram('cargo', args, { cwd, env });
  };
  const left = { 'Cargo.toml': manifest('left-pad'), 'src/lib.rs': 'pub fn pad() -> u8 { 4 }\n' };
  const publish = (token: string) => cargo('left', left, token, 'publish', '--registry', 'alice', '--no-verify', '--allow-dirty');
  for (const [who, { password }] of Object.entries(refused)) await assert.rejects(publish(password), /401|unauthorized/i, who);
  await publish(owner.password);
  const app = {
    'Cargo.toml': manifest('app', '[dependencies]\nleft-pad = { version = "1", registry = "alice" }\n'),
    'src/main.rs': 'fn main() { print!("{}", left_pad::pad()); }\n',
  };
  for (const [who, { password }] of Object.entries(hidden))
    await assert.rejects(cargo(`app of ${who}`, app, password, 'fetch'), /401|unauthorized/i, who);
  assert.equal(await cargo('app', app, owner.password, 'run', '--quiet'), '4');
  await cargo('left', left, owner.password, 'yank', '--registry', 'alice', '--version', '1.0.0');
  await assert.rejects(cargo('late app', app, owner.password, 'fetch'), /yanked|failed to select/);
});
