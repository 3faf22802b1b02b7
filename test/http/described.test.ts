import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { undescribed } from '../support/described.ts';

/** Whether the response would pass in the tests. */
const fault = (path: string, status: number, json: unknown, type: string | null = 'application/json') =>
  undescribed('GET', `/api/v1${path}`, { status, json, text: json === undefined ? '' : JSON.stringify(json), type });

describe('what tests receive is held against the description', () => {
  it('by its status', () => {
    assert.equal(fault('/version', 200, { version: '1' }), undefined);
    assert.match(fault('/version', 418, {}) ?? '', /^getVersion 418 is not in the description$/);
  });

  it('by its media type', () => {
    assert.match(fault('/version', 200, { version: '1' }, 'text/plain') ?? '', /content type text\/plain/);
    assert.match(fault('/version', 200, { version: '1' }, null) ?? '', /content type {2}is not/);
  });

  it('by its shape, null and formats included', () => {
    assert.match(fault('/version', 200, { version: null }) ?? '', /\.version is null, described as string/);
    assert.match(fault('/repos/a/b/milestones', 200, [{ id: 1 }, { id: 'x' }]) ?? '', /\[1\]\.id is "x", described as integer/);
    assert.match(fault('/repos/a/b/milestones', 200, [{ created_at: '' }]) ?? '', /\.created_at is "", described as string date-time/);
    assert.equal(fault('/repos/a/b/milestones', 200, [{ closed_at: null }]), undefined);
    assert.match(fault('/repos/a/b/milestones/1', 404, { message: 1 }) ?? '', /\.message is 1/);
  });

  it('by the route that serves the path', () => {
    assert.match(fault('/repos/a/b/pulls/1/files', 200, {}) ?? '', /^repoGetPullRequestFiles 200/);
    assert.match(fault('/repos/a/b/pulls/main/a/b', 200, []) ?? '', /^repoGetPullRequestByBaseHead 200/);
    assert.match(fault('/repos/a/b/pulls/1.diff', 200, {}) ?? '', /^repoDownloadPullDiffOrPatch 200/);
    assert.equal(fault('/no/such/route', 200, {}), undefined);
  });

  it('by whether there is content', () => {
    const response = { status: 204, json: {}, text: '{}', type: null };
    assert.match(undescribed('DELETE', '/api/v1/repos/a/b', response) ?? '', /repoDelete 204: .*no content/);
  });
});
