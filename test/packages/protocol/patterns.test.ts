// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePattern, matchPath, readPath } from '../../../src/packages/protocol/patterns.ts';

const match = (pattern: string, path: string) => {
  const read = readPath(path);
  return read === undefined ? undefined : matchPath(compilePattern(pattern), read);
};

describe('a pattern of paths', () => {
  it('has parameters of one segment and of several', () => {
    assert.deepEqual(match('/npm/:id', '/npm/@scope%2Fname'), { id: '@scope/name' });
    assert.deepEqual(match('/npm/@:scope/:id', '/npm/%40scope/name'), { scope: 'scope', id: 'name' });
    assert.deepEqual(match('/:image*/manifests/:reference', '/a/b/c/manifests/latest'), { image: 'a/b/c', reference: 'latest' });
    assert.deepEqual(match('/go/:module*/@v/:version.zip', '/go/example.com/x/@v/v1.0.0.zip'), {
      module: 'example.com/x',
      version: 'v1.0.0',
    });
    assert.deepEqual(match('/:name([^_]+)_:version([^_]+).deb', '/a_1.0.deb'), { name: 'a', version: '1.0' });
    assert.deepEqual(match('/generic/:name', '//generic//a/'), { name: 'a' });
    assert.equal(match('/generic/:name', '/generic/a/b'), undefined);
    assert.equal(match('/generic/:name.json', '/generic/axjson'), undefined);
  });

  it('matches no path that leads elsewhere', () => {
    for (const path of ['/generic/..', '/generic/%2E%2e', '/generic/.', '/generic/%00', '/generic/%E0%A4%A']) {
      assert.equal(match('/generic/:name', path), undefined, path);
    }
  });

  it('is refused if it could match slowly', () => {
    assert.throws(() => compilePattern('/:a*/x/:b*'), /two \*/);
    assert.throws(() => compilePattern('/:a_:b.deb'), /two parameters/);
  });
});
