// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, packageTeams } from './support/registry.ts';

const t = await testServer();
const { owner, writer } = await packageTeams(t, 'crew');
const authorization = `Basic ${Buffer.from(`${writer.name}:${writer.password}`).toString('base64')}`;
/** Larger than what waits in memory for its end. */
const layer = 'x'.repeat(200_000);
const BEGUN = 190_000;
const manifest = { name: 'left', version: '1.0.0' };
const npm = JSON.stringify({
  name: 'left',
  versions: { '1.0.0': manifest },
  'dist-tags': { latest: '1.0.0' },
  _attachments: { 'left.tgz': { data: Buffer.from(layer).toString('base64') } },
});
const cargo = JSON.stringify({ name: 'left', vers: '1.0.0' });
const length = (size: number) => String.fromCharCode(size & 255, (size >> 8) & 255, size >> 16, 0);
const form = `--b\r\nContent-Disposition: form-data; name="content"; filename="left-1.0.tar.gz"\r\n\r\n${layer}\r\n--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nleft\r\n--b--\r\n`;

/** For each format: method, path, content type and body of a request that publishes. */
const UPLOADS: Readonly<Record<string, readonly [string, string, string, string]>> = {
  npm: ['PUT', 'api/packages/crew/npm/left', 'application/json', npm],
  cargo: [
    'PUT',
    'api/packages/crew/cargo/api/v1/crates/new',
    'application/octet-stream',
    `${length(cargo.length)}${cargo}${length(layer.length)}${layer}`,
  ],
  pypi: ['POST', 'api/packages/crew/pypi', 'multipart/form-data; boundary=b', form],
  container: ['POST', `v2/crew/app/blobs/uploads?digest=sha256:${digestsOf(layer).sha256}`, 'application/octet-stream', layer],
};

for (const [format, [method, path, type, text]] of Object.entries(UPLOADS)) {
  it(`an upload of ${format} is refused when the right was taken away meanwhile`, async () => {
    const [team] = (await owner.must('GET', '/orgs/crew/teams')).filter(({ name }: { name: string }) => name === 'writer');
    await owner.must('PUT', `/teams/${team.id}/members/${writer.name}`);
    const bytes = Buffer.from(text, 'latin1');
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const body = writable.getWriter();
    const request = { method, body: readable, headers: { authorization, 'content-type': type }, duplex: 'half' };
    const sent = fetch(`${t.url}${path}`, request);
    const middle = text.indexOf(format === 'npm' ? Buffer.from('xxx').toString('base64') : 'xxx') + BEGUN;
    await body.write(bytes.subarray(0, middle));
    const folder = join(t.folder, 'data', 'storage', 'tmp');
    await eventually(async () => (await readdir(folder).catch(() => [])).length > 0, 'the begin of the upload');
    await owner.must('DELETE', `/teams/${team.id}/members/${writer.name}`);
    await body.write(bytes.subarray(middle));
    await body.close();
    assert.equal((await sent).status, 401);
    assert.deepEqual(await owner.must('GET', '/packages/crew'), []);
  });
}
