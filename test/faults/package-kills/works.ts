import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ar, tar } from '../../packages/support/archives.ts';
import type { Client, TestResponse } from '../../support/client.ts';

/** The largest content, in bytes: far more than is stored from memory. */
const LARGEST = 1_500_000;
const CHUNK = 200_000;
const CONFIG = Buffer.from('{"os":"linux","architecture":"arm64"}');
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const BYTES = 'application/octet-stream';

/** A container blob that is being sent in chunks. */
interface ChunkedUpload {
  readonly location: string;
  readonly content: Buffer;
}

/** Everything that was sent, with what was acknowledged of it. */
export class PackageWork {
  readonly #root: Client;
  /** Contents by the path of their download. */
  readonly acknowledged = new Map<string, Buffer>();
  /** Contents that were sent and not acknowledged. */
  readonly sent = new Map<string, Buffer>();
  /** Paths of files whose deletion was acknowledged. */
  readonly deleted = new Set<string>();
  /** Container blobs whose upload a kill has interrupted. */
  readonly interrupted: ChunkedUpload[] = [];
  readonly counts = new Map<string, number>();

  constructor(root: Client) {
    this.#root = root;
  }

  /** Files, of which some are deleted again. */
  async generic(name: string): Promise<void> {
    const path = `//api/packages/root/generic/files/${name}/file.bin`;
    await this.#publish('generic', path, randomBytes(Math.floor(Math.random() * LARGEST)), (raw) => this.#put(path, raw));
    if (Math.random() < 0.5) return;
    const content = this.acknowledged.get(path) ?? Buffer.alloc(0);
    this.acknowledged.delete(path);
    this.sent.set(path, content);
    const { status } = await this.#root.delete(`//api/packages/root/generic/files/${name}`);
    assert.equal(status, 204);
    this.sent.delete(path);
    this.deleted.add(path);
  }

  async npm(name: string): Promise<void> {
    const version = `1.0.${this.#next('npm versions')}`;
    const content = randomBytes(Math.floor(Math.random() * 200_000) + 1);
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const document = JSON.stringify({
      name: 'left',
      'dist-tags': { latest: version },
      versions: { [version]: { name: 'left', version, description: name, dist: { integrity } } },
      _attachments: { [`left-${version}.tgz`]: { data: content.toString('base64') } },
    });
    const path = `//api/packages/root/npm/left/-/${version}/left-${version}.tgz`;
    await this.#publish('npm', path, content, () => this.#root.send('PUT', '//api/packages/root/npm/left', { raw: document }));
    await this.#root.get('//api/packages/root/npm/left');
  }

  async debian(): Promise<void> {
    const version = `1.${this.#next('debian versions')}`;
    const control = `Package: tool\nVersion: ${version}\nArchitecture: amd64\nMaintainer: Ann <ann@example.com>\n`;
    const members = { 'control.tar.gz': gzipSync(await tar({ './control': control })), 'data.tar': randomBytes(30_000).toString('hex') };
    const content = ar({ 'debian-binary': '2.0\n', ...members });
    const path = `//api/packages/root/debian/pool/stable/main/tool_${version}_amd64.deb`;
    await this.#publish('debian', path, content, (raw) => this.#put('//api/packages/root/debian/pool/stable/main/upload', raw));
    await this.#root.get('//api/packages/root/debian/dists/stable/InRelease');
  }

  async maven(): Promise<void> {
    const version = `1.${this.#next('maven versions')}`;
    const path = `//api/packages/root/maven/com/example/tool/${version}/tool-${version}.jar`;
    await this.#publish('maven', path, randomBytes(20_000), (raw) => this.#put(path, raw));
    await this.#root.get('//api/packages/root/maven/com/example/tool/maven-metadata.xml');
  }

  /** A blob of a container in chunks. */
  async container(): Promise<void> {
    const content = randomBytes(CHUNK * 5);
    const begun = await this.#root.send('POST', '//v2/root/image/blobs/uploads');
    assert.equal(begun.status, 202);
    const upload = { location: `/${begun.headers.get('location')}`, content };
    this.interrupted.push(upload);
    await this.#resume(upload, 0);
    this.interrupted.splice(this.interrupted.indexOf(upload), 1);
  }

  /** Goes on with the uploads that were interrupted, where the server says that they are. */
  async resumeAll(): Promise<void> {
    for (const upload of this.interrupted.splice(0)) {
      const { status, headers } = await this.#root.get(upload.location);
      // The last request has completed it, without an answer.
      if (status === 404) {
        const { path } = blobOf(upload.content);
        assert.equal((await this.#root.get(path)).status, 200, 'an upload is lost');
        continue;
      }
      assert.equal(status, 204);
      const range = headers.get('range');
      await this.#resume(upload, range && range !== '0-0' ? Number(range.split('-')[1]) + 1 : 0);
      this.#count('resumed');
    }
  }

  async #resume({ location, content }: ChunkedUpload, from: number): Promise<void> {
    for (let start = from; start < content.length; start += CHUNK) {
      const raw = content.subarray(start, start + CHUNK);
      const headers = { 'content-range': `${start}-${start + raw.length - 1}`, 'content-type': BYTES };
      const { status, text } = await this.#root.send('PATCH', location, { raw, headers });
      assert.equal(status, 202, text);
    }
    const { path, digest } = blobOf(content);
    const { status, text } = await this.#root.send('PUT', `${location}?digest=${digest}`);
    assert.equal(status, 201, text);
    // Without a manifest it is removed soon.
    const config = await this.#root.send('POST', `//v2/root/image/blobs/uploads?digest=${blobOf(CONFIG).digest}`, {
      raw: CONFIG,
      type: BYTES,
    });
    assert.equal(config.status, 201);
    const layers = [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest, size: content.length }];
    const described = { mediaType: 'application/vnd.oci.image.config.v1+json', digest: blobOf(CONFIG).digest, size: CONFIG.length };
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: described, layers });
    const tagged = await this.#root.send('PUT', `//v2/root/image/manifests/${digest.slice(7, 30)}`, { raw: manifest, type: MANIFEST });
    assert.equal(tagged.status, 201, tagged.text);
    this.acknowledged.set(path, content);
    this.#count('container');
  }

  /** @throws AssertionError unless all that was acknowledged is there, and what was not is there as a whole or not at all */
  async verify(): Promise<void> {
    for (const [path, content] of this.acknowledged) {
      const { status, bytes } = await this.#root.get(path);
      assert.ok(status === 200 && bytes.equals(content), `${path}: ${status}`);
    }
    for (const [path, content] of this.sent) {
      const { status, bytes } = await this.#root.get(path);
      assert.ok(status === 404 || (status === 200 && bytes.equals(content)), `${path}: ${status}`);
      if (status === 200) this.acknowledged.set(path, content);
      this.sent.delete(path);
    }
    for (const path of this.deleted) assert.equal((await this.#root.get(path)).status, 404, path);
    const has = (part: string) => [...this.acknowledged.keys()].filter((path) => path.includes(part)).sort();
    const npm = await this.#root.get('//api/packages/root/npm/left');
    const listed = Object.keys(npm.json?.versions ?? {}).map((v) => `//api/packages/root/npm/left/-/${v}/left-${v}.tgz`);
    assert.deepEqual(listed.sort(), has('/npm/'), 'npm');
    const pool = await this.#root.get('//api/packages/root/debian/dists/stable/main/binary-amd64/Packages');
    const files = [...pool.text.matchAll(/^Filename: (.*)$/gm)].map(([, file]) => `//api/packages/root/debian/${file}`);
    assert.deepEqual(pool.status === 200 ? files.sort() : [], has('/debian/'), 'debian');
    const maven = await this.#root.get('//api/packages/root/maven/com/example/tool/maven-metadata.xml');
    const versions = [...maven.text.matchAll(/<version>(.*?)<\/version>/g)].map(
      ([, v]) => `//api/packages/root/maven/com/example/tool/${v}/tool-${v}.jar`,
    );
    assert.deepEqual(maven.status === 200 ? versions.sort() : [], has('/maven/'), 'maven');
  }

  async #put(path: string, raw: Buffer): Promise<TestResponse> {
    return await this.#root.send('PUT', path, { raw, type: BYTES });
  }

  async #publish(kind: string, path: string, content: Buffer, send: (content: Buffer) => Promise<TestResponse>): Promise<void> {
    this.sent.set(path, content);
    const { status, text } = await send(content);
    assert.equal(status, 201, `${path}: ${text}`);
    this.sent.delete(path);
    this.acknowledged.set(path, content);
    this.#count(kind);
  }

  #next(name: string): number {
    this.#count(name);
    return this.counts.get(name) ?? 0;
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

function blobOf(content: Buffer): { digest: string; path: string } {
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  return { digest, path: `//v2/root/image/blobs/${digest}` };
}
