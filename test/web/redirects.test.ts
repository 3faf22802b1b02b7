import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeRedirect } from '../../src/web/redirects.ts';

describe('safeRedirect', () => {
  it('keeps addresses within the instance', () => {
    for (const target of [
      '/',
      '/alice/demo?tab=a#b',
      '/login/oauth/authorize?redirect_uri=https%3A%2F%2Fexample.com%2F',
      '/a/b/src/branch/feat%2Fx',
    ]) {
      assert.equal(safeRedirect(target, 'https://code.example.com/'), target);
    }
    assert.equal(safeRedirect('/git/alice', 'https://example.com/git/'), '/git/alice');
  });

  it('leads nowhere else, however that is written', () => {
    const elsewhere = [
      ...[
        'https://evil.example',
        '//evil.example',
        '/\\evil.example',
        '\\\\evil.example',
        '\\/evil.example',
        '/%5cevil.example',
        '/%2fevil.example',
      ],
      ...['/%5Cevil.example', '/%2F%2Fevil.example', '/%252fevil.example', '/%25255cevil.example', '/.//evil.example', '/..//evil.example'],
      ...['/\t/evil.example', '/\n/evil.example', ' //evil.example', '/a/%2e%2e//evil.example', 'javascript:alert(1)', 'evil.example', ''],
      ...['/%0d%0aSet-Cookie:x', '/a//b', `/${'x'.repeat(5000)}`],
    ];
    for (const target of elsewhere) assert.equal(safeRedirect(target, 'https://code.example.com/'), '/', target);
    assert.equal(safeRedirect('/other', 'https://example.com/git/'), '/git/');
    assert.equal(safeRedirect('/git/../other', 'https://example.com/git/'), '/git/');
  });
});
