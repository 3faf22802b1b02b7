import assert from 'node:assert/strict';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { respond } from './gitea-stub.ts';
import type { Json } from './snapshot.ts';
import type { Stub } from './stub.ts';

const EVERYTHING = { labels: true, milestones: true, issues: true, pull_requests: true, releases: true };

/** A file of a release or an issue. */
export const assetAt = (url: string, name = 'a.bin') => ({ id: 1, name, size: 3, download_count: 0, browser_download_url: url });
/** The list with a release that has a file. */
export const releaseWith = (asset: Json) => [{ id: 1, tag_name: 'v1', name: 'One', author: { id: 7, login: 'dora' }, assets: [asset] }];

/** What migrates all of the stub's repository, and what does so while the stub is hostile. */
export function migrating(t: TestServer, who: Client, stub: Stub) {
  const migrate = (repo_name: string, fields: Record<string, unknown> = {}) =>
    who.post('/repos/migrate', {
      repo_name,
      clone_addr: `${stub.url}/o/r.git`,
      service: 'gitea',
      auth_token: 'T0ken',
      ...EVERYTHING,
      ...fields,
    });
  /** Migrates while a list has this response, which has to fail with a message, and leaves nothing. */
  const refused = async (list: string, response: Json, message: RegExp): Promise<void> => {
    const before = stub.responses.get(`/api/v1/repos/o/r/${list}`);
    respond(stub, list, response);
    const { status, json } = await migrate('refused');
    respond(stub, list, before);
    assert.equal(status, 422, json.message);
    assert.match(json.message, message);
    const left = await t.context.db.selectFrom('repositories').select('id').where('name', '=', 'refused').execute();
    assert.deepEqual(left, []);
  };
  return { migrate, refused };
}
