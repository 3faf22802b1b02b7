import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isDerived } from '../../src/settings/setting.ts';
import { ALL_SETTINGS, loadSettings, type Settings, SettingsError } from '../../src/settings.ts';
import { testSettings } from '../support/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'copse-settings-'));
after(() => rmSync(folder, { recursive: true }));

function load(environment: Record<string, string> = {}): Settings {
  return loadSettings({ environment: { COPSE_DATA_DIR: join(folder, 'none'), ...environment } });
}

function faultsOf(environment: Record<string, string>, file?: string): readonly string[] {
  try {
    loadSettings({ environment: { COPSE_DATA_DIR: join(folder, 'none'), ...environment }, file });
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    for (const fault of error.faults) assert.ok(error.message.includes(fault));
    return error.faults;
  }
  return assert.fail('the settings were accepted');
}

function file(content: string): string {
  const path = join(mkdtempSync(join(folder, 'file-')), 'settings.yaml');
  writeFileSync(path, content);
  return path;
}

describe('the table of settings', () => {
  it('names every setting and variable once', () => {
    assert.equal(new Set(ALL_SETTINGS.map(({ name }) => name)).size, ALL_SETTINGS.length);
    assert.equal(new Set(ALL_SETTINGS.map(({ variable }) => variable)).size, ALL_SETTINGS.length);
    const variables = new Set(ALL_SETTINGS.map(({ variable }) => variable));
    for (const { variable, setting } of ALL_SETTINGS) if (setting.secret) assert.ok(!variables.has(`${variable}_FILE`));
  });

  it('has the variables that operators were promised', () => {
    const variables = new Set(ALL_SETTINGS.map(({ variable }) => variable));
    for (const variable of [
      'COPSE_HOST',
      'COPSE_PORT',
      'COPSE_DATA_DIR',
      'COPSE_ROOT_URL',
      'COPSE_SSH_PORT',
      'DATABASE_URL',
      'COPSE_ADMIN_USERNAME',
      'COPSE_ADMIN_PASSWORD',
      'COPSE_FEDERATION_ENABLED',
      'COPSE_GIT_HOOKS_ENABLED',
      'COPSE_OUTGOING_ALLOWED_HOSTS',
    ]) {
      assert.ok(variables.has(variable), variable);
    }
  });

  it('has well-formed defaults and sentences', () => {
    for (const { name, setting } of ALL_SETTINGS) {
      if (!isDerived(setting.default)) assert.doesNotThrow(() => setting.kind.parse(setting.default as string), name);
      assert.match(setting.meaning, /\.$/, name);
      assert.ok(!setting.meaning.includes('|'), name);
    }
  });

  it('marks as secret what sounds like one', () => {
    for (const { name, setting } of ALL_SETTINGS) {
      if (
        /(password|passphrase|secret|token|accessKey|signing\.key|database\.url)(?!s|Lifetime|Id$)\w*$/i.test(name) &&
        !/lifetime|length|reset/i.test(name)
      ) {
        assert.equal(setting.secret, true, name);
      }
    }
  });
});

describe('loading settings', () => {
  it('has the defaults that the API shows', () => {
    const settings = load();
    assert.deepEqual(
      [
        settings.api.maxPageSize,
        settings.api.defaultPageSize,
        settings.api.treesPageSize,
        settings.api.maxBlobSize,
        settings.api.maxResponseSize,
      ],
      [50, 30, 1000, 10_485_760, 104_857_600],
    );
    assert.deepEqual(settings.ui.reactions, ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes']);
    assert.equal(settings.attachments.maxSize, 100 * 2 ** 20);
    assert.equal(settings.issues.maxPinned, 3);
    assert.equal(settings.server.rootUrl, 'http://127.0.0.1:3000/');
    assert.equal(settings.users.noReplyDomain, 'noreply.localhost');
    assert.equal(settings.database.url, null);
  });

  it('derives defaults from what is given', () => {
    const settings = load({ COPSE_ROOT_URL: 'https://git.example.com/sub', COPSE_SSH_PORT: '2222' });
    assert.equal(settings.server.rootUrl, 'https://git.example.com/sub/');
    assert.equal(settings.users.noReplyDomain, 'noreply.git.example.com');
    assert.deepEqual([settings.ssh.publicHost, settings.ssh.publicPort], ['git.example.com', 2222]);
    assert.equal(settings.access.secureCookies, true);
    assert.deepEqual([load().ssh.port, load().ssh.publicPort], ['auto', 2222]);
    assert.deepEqual([load({ COPSE_SSH_PORT: '0' }).ssh.port, load({ COPSE_SSH_PORT: '0' }).ssh.publicPort], [null, 22]);
    assert.equal(load({ COPSE_SSH_PORT: 'free' }).ssh.port, 'free');
    assert.equal(load({ COPSE_HOST: '::1', COPSE_PORT: '80' }).server.rootUrl, 'http://[::1]/');
    assert.equal(load({ COPSE_HOST: '0.0.0.0' }).server.rootUrl, 'http://localhost:3000/');
  });

  it('cannot be changed afterwards', () => {
    const settings = load();
    assert.throws(() => Object.assign(settings.server, { port: 1 }), TypeError);
    assert.throws(() => Object.assign(settings, { server: {} }), TypeError);
    assert.throws(() => (settings.cors.allowedOrigins as string[]).push('x'), TypeError);
  });

  it('lists every fault by its name, and suggests what was meant', () => {
    const faults = faultsOf({ COPSE_PROT: '1', COPSE_PORT: 'x', COPSE_WEBHOOKS_TIMEOUT: '10', COPSE_WHATEVER_ELSE: '1', OTHER: 'x' });
    assert.equal(faults.length, 4);
    assert.ok(faults.includes('COPSE_PROT is not a setting; do you mean COPSE_PORT?'));
    assert.ok(faults.includes('COPSE_WHATEVER_ELSE is not a setting'));
    assert.ok(faults.some((fault) => fault.startsWith('COPSE_PORT must be a whole number')));
    assert.ok(faults.some((fault) => fault.startsWith('COPSE_WEBHOOKS_TIMEOUT must be a duration')));
    for (const host of ['300.1.1.1', '1.2.3', 'a b', 'http://localhost', '-/', '[::1']) {
      assert.deepEqual(faultsOf({ COPSE_HOST: host }), ['COPSE_HOST must be an IP address or a host name'], host);
    }
    for (const host of ['0.0.0.0', '::', 'localhost', 'code.example.com', 'my-host2'])
      assert.equal(load({ COPSE_HOST: host }).server.host, host);
  });

  it('refuses an empty value where there must be one, and takes it as absent elsewhere', () => {
    assert.match(faultsOf({ COPSE_PORT: '' })[0] ?? '', /^COPSE_PORT must be/);
    assert.equal(load({ COPSE_SSH_PORT: '' }).ssh.port, null);
    assert.equal(load({ DATABASE_URL: '' }).database.url, null);
  });

  it('never shows a secret', () => {
    const faults = faultsOf({
      DATABASE_URL: 'mysql://root:hunter2@host/db',
      COPSE_SECURITY_SECRET_KEY: 'hunter2',
      COPSE_ADMIN_PASSWORD: 'hunter2',
    });
    assert.equal(faults.length, 2);
    assert.ok(!faults.join().includes('hunter2'));
    assert.ok(!faultsOf({}, file('mail: {password: hunter2\nx')).join().includes('hunter2'));
  });

  it('reads secrets from files', () => {
    const password = file('from file\n');
    assert.equal(load({ COPSE_ADMIN_USERNAME: 'root', COPSE_ADMIN_PASSWORD_FILE: password }).admin.password, 'from file');
    assert.match(
      faultsOf({ COPSE_MAIL_PASSWORD_FILE: join(folder, 'absent') })[0] ?? '',
      /^COPSE_MAIL_PASSWORD_FILE names a file that cannot be read/,
    );
    assert.match(faultsOf({ COPSE_MAIL_PASSWORD_FILE: password, COPSE_MAIL_PASSWORD: 'x' })[0] ?? '', /both set/);
    assert.match(faultsOf({ COPSE_PORT_FILE: password })[0] ?? '', /^COPSE_PORT_FILE is not a setting/);
  });

  it('refuses settings that contradict each other', () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ COPSE_ADMIN_USERNAME: 'root' }, /admin\.password/],
      [{ COPSE_MAIL_ENABLED: 'true' }, /mail\.host/],
      [{ COPSE_REGISTRATION_CONFIRM_EMAIL: 'true' }, /mail\.enabled/],
      [{ COPSE_API_DEFAULT_PAGE_SIZE: '51' }, /api\.maxPageSize/],
      [{ COPSE_TLS_KEY: '/key' }, /server\.tlsCertificate/],
      [{ COPSE_USERS_ALLOWED_VISIBILITIES: 'private' }, /users\.defaultVisibility/],
      [{ COPSE_PASSWORDS_COMPLEXITY: 'off,lower' }, /passwords\.complexity/],
    ];
    for (const [environment, message] of cases) assert.match(faultsOf(environment).join('\n'), message);
  });
});

describe('the settings file', () => {
  it('is read as it is written, and the environment wins', () => {
    const path = file(
      'server:\n  port: 8080\n  host: 0.0.0.0\nusers:\n  reservedNames: ["007", null, yes]\ncors:\n  enabled: true\nmail:\n',
    );
    const settings = load({ COPSE_SETTINGS: path, COPSE_PORT: '9090' });
    assert.deepEqual([settings.server.port, settings.server.host, settings.cors.enabled], [9090, '0.0.0.0', true]);
    assert.deepEqual(settings.users.reservedNames, ['007', 'null', 'yes']);
  });

  it('is found in the data folder', () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'copse.yaml'), 'instance: {name: Found}');
    assert.equal(loadSettings({ environment: { COPSE_DATA_DIR: dataDir } }).instance.name, 'Found');
    assert.equal(loadSettings({ environment: { COPSE_DATA_DIR: dataDir }, file: file('') }).instance.name, 'Copse');
  });

  it('names what is wrong in it', () => {
    const cases: [string, RegExp][] = [
      ['sever: {port: 1}', /^sever in .* is not a group of settings; do you mean server\?$/],
      ['server: {prot: 1}', /^server\.prot in .* is not a setting; do you mean server\.port\?$/],
      ['server: {port: x}', /^server\.port in .* must be a whole number/],
      ['server: {port: [1, 2]}', /^server\.port in .* not a list/],
      ['server: {port: {a: b}}', /^server\.port in .* must be a single value/],
      ['server: 3000', /^server in .* must be a mapping/],
      ['- server', /must be a mapping of groups/],
      ['toString: {a: 1}', /^toString in .* is not a group/],
      ['server:\n  port: 1\n  port: 2\n', /is not valid YAML, line 3$/],
      ['a: &a [x]\nb: *a', /is not valid YAML|is not a group/],
    ];
    for (const [content, message] of cases) assert.match(faultsOf({}, file(content))[0] ?? '', message);
  });

  it('must be there when it is named', () => {
    assert.match(faultsOf({ COPSE_SETTINGS: join(folder, 'absent.yaml') })[0] ?? '', /^the settings file cannot be read/);
    assert.match(faultsOf({ COPSE_SETTINGS: folder })[0] ?? '', /^the settings file cannot be read/);
  });
});

describe('testSettings', () => {
  it('replaces single settings and refuses contradictions', () => {
    const settings = testSettings({ server: { dataDir: '/tmp/x' }, api: { maxPageSize: 40 } });
    assert.deepEqual([settings.api.maxPageSize, settings.api.defaultPageSize], [40, 30]);
    assert.ok(settings.repository.path.startsWith('/tmp/x/'));
    assert.throws(() => testSettings({ api: { maxPageSize: 1 } }), /api\.defaultPageSize/);
  });
});
