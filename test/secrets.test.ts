import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openSecrets, SecretsError, secretsFromKey } from '../src/secrets.ts';
import { testSettings } from './support/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'copse-secrets-'));
after(() => rmSync(folder, { recursive: true }));
const secrets = secretsFromKey(new Uint8Array(32).fill(7));

function open(dataDir: string, secretKey: string | null = null) {
  return openSecrets(testSettings({ server: { dataDir }, security: { secretKey } }));
}

describe('encryption at rest', () => {
  it('gives back what was encrypted, and never the same text twice', () => {
    for (const plain of ['', 'secret', 'schlüssel 🔑']) {
      const sealed = secrets.encrypt(plain, 'hook 1');
      assert.match(sealed, /^v1\.[\w-]+$/);
      assert.equal(secrets.decrypt(sealed, 'hook 1').toString(), plain);
      assert.notEqual(secrets.encrypt(plain, 'hook 1'), sealed);
    }
    assert.deepEqual([...secrets.decrypt(secrets.encrypt(new Uint8Array([0, 255]), ''), '')], [0, 255]);
  });

  it('refuses another context, another key, and every change', () => {
    const sealed = secrets.encrypt('secret', 'hook 1');
    assert.throws(() => secrets.decrypt(sealed, 'hook 2'), SecretsError);
    assert.throws(() => secretsFromKey(new Uint8Array(32)).decrypt(sealed, 'hook 1'), SecretsError);
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => secrets.decrypt(`v1.${changed.toString('base64url')}`, 'hook 1'), SecretsError);
    }
    for (const text of ['', 'v1.', 'v1.AAAA', 'secret', sealed.slice(0, -4), `v2${sealed.slice(2)}`]) {
      assert.throws(() => secrets.decrypt(text, 'hook 1'), SecretsError, text);
    }
  });
});

describe('signatures', () => {
  it('hold for their purpose and fields only', () => {
    const signature = secrets.sign('artifact link', '12', 'a');
    assert.ok(secrets.isSigned(signature, 'artifact link', '12', 'a'));
    assert.ok(!secrets.isSigned(signature, 'session', '12', 'a'));
    assert.ok(!secrets.isSigned(`${signature}A`, 'artifact link', '12', 'a'));
    assert.ok(!secrets.isSigned('', 'artifact link', '12', 'a'));
    assert.ok(!secretsFromKey(new Uint8Array(32)).isSigned(signature, 'artifact link', '12', 'a'));
  });

  it('keep fields apart', () => {
    const signature = secrets.sign('artifact link', '12', '34');
    for (const fields of [['1234'], ['123', '4'], ['12', '34', ''], ['', '12', '34'], ['12,34'], ['34', '12']]) {
      assert.ok(!secrets.isSigned(signature, 'artifact link', ...fields), fields.join('|'));
    }
  });
});

describe('the secret key', () => {
  it('is made at the first start, readable by its owner only, and used again', () => {
    const dataDir = join(folder, 'new', 'data');
    const sealed = open(dataDir).encrypt('x', '');
    assert.equal(open(dataDir).decrypt(sealed, '').toString(), 'x');
    assert.deepEqual(readdirSync(dataDir), ['secret.key']);
    assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  });

  it('is taken from others when it was readable for them', () => {
    const dataDir = join(folder, 'lax');
    open(dataDir);
    chmodSync(join(dataDir, 'secret.key'), 0o644);
    open(dataDir);
    assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  });

  it('is never replaced when the file is damaged', () => {
    const dataDir = mkdtempSync(join(folder, 'damaged-'));
    for (const content of ['', 'abc', 'z'.repeat(64)]) {
      writeFileSync(join(dataDir, 'secret.key'), content);
      assert.throws(() => open(dataDir), SecretsError);
      assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), content);
    }
  });

  it('may come from the settings, in hexadecimal or base64', () => {
    const key = Buffer.alloc(32, 7);
    const sealed = secrets.encrypt('x', '');
    for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      assert.equal(open(join(folder, 'unused'), text).decrypt(sealed, '').toString(), 'x');
    }
    assert.ok(!readdirSync(folder).includes('unused'));
    assert.throws(() => secretsFromKey(new Uint8Array(16)), SecretsError);
  });
});
