// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCommand } from '../../src/cli/run.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer();
const { settings } = t.context;

/** Runs the command line beside the running server, on its data. */
async function copse(args: readonly string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const code = await runCommand(args, {
    environment: {
      COPSE_SETTINGS: '/dev/null',
      COPSE_DATA_DIR: settings.server.dataDir,
      ...(settings.database.url && { DATABASE_URL: settings.database.url }),
    },
    secret: async () => input,
    out: (text) => {
      said.stdout += text;
    },
    error: (text) => {
      said.stderr += text;
    },
  });
  return { code, ...said };
}

const signIn = (name: string, password: string) =>
  t.anonymous.get('/user', { headers: { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` } });

describe('copse admin', () => {
  it('makes an account that can sign in, and a token for it', async () => {
    const args = ['--username', 'root', '--email', 'root@example.com', '--admin', '--random-password', '--access-token'];
    const { code, stdout } = await copse(['admin', 'user', 'create', ...args]);
    assert.equal(code, 0);
    const password = /^password: (.+)$/m.exec(stdout)?.[1] ?? '';
    assert.equal((await signIn('root', password)).json.is_admin, true);
    const token = /^access token: ([0-9a-f]{40})$/m.exec(stdout)?.[1] ?? '';
    assert.equal((await t.anonymous.get('/user', { headers: { authorization: `token ${token}` } })).json.login, 'root');
  });

  it('changes a password that comes at the terminal, and lists accounts', async () => {
    await t.user('alice');
    const changed = await copse(['admin', 'user', 'change-password', '--username', 'alice'], 'Other-Passw0rd');
    const listed = await copse(['admin', 'user', 'list', '--admin']);
    assert.equal(changed.code, 0);
    assert.equal((await signIn('alice', PASSWORD)).status, 401);
    assert.equal((await signIn('alice', 'Other-Passw0rd')).status, 200);
    assert.match(listed.stdout, /^\d+\tadmin\tadmin@example.com\tadmin$/m);
    assert.ok(!listed.stdout.includes('alice'));
  });

  it('makes a token of narrow scopes and deletes an account', async () => {
    const made = await copse(['admin', 'token', 'create', '--username', 'alice', '--name', 'ci', '--scopes', 'read:user, read:issue']);
    const headers = { authorization: `token ${made.stdout.trim()}` };
    assert.equal((await t.anonymous.get('/user', { headers })).json.login, 'alice');
    assert.equal((await t.anonymous.patch('/user/settings', {}, { headers })).status, 403);
    assert.equal((await copse(['admin', 'user', 'delete', '--username', 'alice'])).code, 0);
    assert.equal((await t.anonymous.get('/users/alice')).status, 404);
  });

  it('says what is wrong and changes nothing', async () => {
    const create = ['admin', 'user', 'create', '--email', 'x@example.com'];
    for (const [args, code, message] of [
      [create, 2, /--username is missing/],
      [[...create, '--username', 'x'], 1, /at least 8 characters/],
      [[...create, '--username', 'x', '--password', 'short', '--random-password'], 2, /exclude each other/],
      [[...create, '--username', 'x', '--pasword', PASSWORD], 2, /--pasword/],
      [['admin', 'user', 'delete', '--username', 'nobody'], 2, /there is no user nobody/],
      [['admin', 'user', 'drop'], 2, /no such command: drop/],
    ] as const) {
      const response = await copse(args);
      assert.equal(response.code, code, args.join(' '));
      assert.match(response.stderr, message);
    }
    assert.equal((await t.anonymous.get('/users/x')).status, 404);
  });

  it('prints its version', async () => {
    for (const word of ['--version', '-v', 'version']) assert.match((await copse([word])).stdout, /^copse \d+\.\d+\.\d+\n$/);
  });

  it('prints its help', async () => {
    const { code, stdout } = await copse(['admin', 'user', 'create', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: copse admin user create/);
    assert.match((await copse(['admin'])).stdout, /user .*\n.*token/);
  });
});
