import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_SETTINGS, printableSettings, withListeningPort } from '../../src/settings.ts';
import { testSettings } from '../support/settings.ts';

describe('printableSettings', () => {
  it('shows everything but secrets', () => {
    const shown = printableSettings(
      testSettings({ admin: { username: 'root', password: 'hunter2' }, database: { url: 'postgres://u:hunter2@h/d' } }),
    );
    assert.equal(Object.keys(shown).length, ALL_SETTINGS.length);
    assert.ok(!JSON.stringify(shown).includes('hunter2'));
    assert.deepEqual([shown['admin.username'], shown['admin.password'], shown['mail.password']], ['root', '(secret)', null]);
    assert.equal(shown['api.maxPageSize'], 50);
  });
});

describe('withListeningPort', () => {
  it('replaces port 0 by the chosen one', () => {
    const { server } = withListeningPort(testSettings({ server: { port: 0 } }), 41_234);
    assert.deepEqual([server.port, server.rootUrl], [41_234, 'http://127.0.0.1:41234/']);
    const ipv6 = withListeningPort(testSettings({ server: { port: 0, host: '::1' } }), 41_234);
    assert.equal(ipv6.server.rootUrl, 'http://[::1]:41234/');
  });

  it('keeps what was given', () => {
    const given = testSettings({ server: { port: 0, rootUrl: 'https://git.example.com/' } });
    assert.equal(withListeningPort(given, 41_234).server.rootUrl, 'https://git.example.com/');
    const fixed = testSettings({ server: { port: 3000 } });
    assert.equal(withListeningPort(fixed, 41_234), fixed);
  });
});
