// On SQLite alone: URLs need no database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRemoteUrl, RemoteUrlError, requireRemoteAllowed } from '../../../src/http/outgoing/remote-url.ts';
import { testSettings } from '../../support/settings.ts';

const faultOf = (task: () => unknown) => {
  try {
    task();
  } catch (error) {
    assert.ok(error instanceof RemoteUrlError, String(error));
    return error.fault;
  }
  return 'none';
};

describe('URLs of repositories on other servers', () => {
  it('takes HTTP and the git protocol', () => {
    assert.deepEqual(parseRemoteUrl(' https://Example.com/a/b.git '), {
      url: 'https://example.com/a/b.git',
      protocol: 'https',
      host: 'example.com',
      port: 443,
    });
    assert.equal(parseRemoteUrl('http://[::1]:3000/a').host, '::1');
    assert.equal(parseRemoteUrl('git://example.com/a').port, 9418);
  });

  it('takes credentials out of them', () => {
    const { url, credentials } = parseRemoteUrl('https://al%40ice:p%3Ass@example.com/a.git');
    assert.equal(url, 'https://example.com/a.git');
    assert.deepEqual(credentials, { username: 'al@ice', password: 'p:ss' });
  });

  const faults: Record<string, string[]> = {
    local: ['/etc', 'file:///etc', 'FILE:///etc', 'not an address', '../x', '-u', '', 'C/x'],
    protocol: ['ext::sh -c id', 'ssh://git@example.com/x', 'ftp://example.com/x', 'git+ssh://example.com/x', 'javascript:alert(1)'],
    url: [
      'git://example.com/%0ahost=x',
      'https://example.com/%00',
      'http://',
      'http:///x',
      'http:x',
      'git@example.com:x/y.git',
      'https://-x/a',
      'https://a%0db:c@example.com/x',
      'http://a b/',
    ],
  };
  for (const [fault, texts] of Object.entries(faults))
    for (const text of texts)
      it(`refuses ${JSON.stringify(text)}`, () =>
        assert.equal(
          faultOf(() => parseRemoteUrl(text)),
          fault,
        ));

  it('follows the allow and block lists', async () => {
    const settings = (migrations: object, outgoing: object = {}) =>
      testSettings({
        migrations: { ...testSettings().migrations, ...migrations },
        outgoing: { ...testSettings().outgoing, ...outgoing },
      });
    const isAllowed = (given: ReturnType<typeof settings>, url = 'http://127.0.0.1/x') =>
      requireRemoteAllowed(given, parseRemoteUrl(url)).then(
        () => true,
        () => false,
      );
    assert.equal(await isAllowed(settings({})), false);
    assert.equal(await isAllowed(settings({ allowLocalNetworks: true })), true);
    assert.equal(await isAllowed(settings({}, { allowedHosts: ['loopback'] })), true);
    assert.equal(await isAllowed(settings({ allowedHosts: ['example.com'] }, { allowedHosts: ['loopback'] })), false);
    assert.equal(await isAllowed(settings({ blockedHosts: ['127.0.0.1'], allowLocalNetworks: true })), false);
    assert.equal(await isAllowed(settings({ allowLocalNetworks: true }, { blockedHosts: ['loopback'] })), false);
    assert.equal(await isAllowed(settings({ allowedHosts: ['*'] }), 'http://169.254.169.254/x'), true);
    assert.equal(await isAllowed(settings({}), 'http://[::ffff:10.0.0.1]/x'), false);
  });
});
