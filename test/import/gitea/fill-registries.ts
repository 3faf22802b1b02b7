import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Actor } from '../../conformance/harness/actor.ts';
import { ar, tar, zip } from '../../packages/support/archives.ts';

const TYPE = 'application/octet-stream';

/** Publishes packages of several formats. */
export async function fillPackages(alice: Actor): Promise<void> {
  const put = (path: string, raw: Buffer<ArrayBuffer> | string, type = TYPE) =>
    alice.must('PUT', `//api/packages/Alice/${path}`, undefined, { raw, type });
  for (const [version, tag] of [
    ['1.0.0', 'latest'],
    ['1.1.0-rc.1', 'next'],
  ] as const)
    await put('npm/left', JSON.stringify(await npmDocument(version, tag)), 'application/json');
  await alice.must('POST', '/packages/Alice/npm/left/-/link/Demo');
  const sdist = await tgz({ 'my_tool-1.0/PKG-INFO': 'Name: my-tool\n' });
  await alice.must('POST', '//api/packages/Alice/pypi/', undefined, {
    form: {
      ...{ ':action': 'file_upload', name: 'My_Tool', version: '1.0', summary: 'Short', requires_python: '>=3.8' },
      sha256_digest: createHash('sha256').update(sdist).digest('hex'),
      content: { content: sdist, filename: 'my_tool-1.0.tar.gz' },
    },
  });
  const pom = '<project><groupId>org.example</groupId><artifactId>core</artifactId><version>1.0</version><name>Core</name></project>';
  await put('maven/org/example/core/1.0/core-1.0.pom', pom);
  await put('maven/org/example/core/1.0/core-1.0.jar', zip({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\n' }) as Buffer<ArrayBuffer>);
  await put('cargo/api/v1/crates/new', await crate());
  await alice.must('DELETE', '//api/packages/Alice/cargo/api/v1/crates/my-crate/1.0.0/yank');
  await put('debian/pool/bookworm/main/upload', await deb());
  await put('alpine/v3.20/main', await apk());
  await put('generic/Tool/1.0/tool.txt', 'a tool\n');
  await alice.must('GET', '//api/packages/Alice/generic/Tool/1.0/tool.txt');
  await fillImages(alice);
}

async function fillImages(alice: Actor): Promise<void> {
  const part = async (mediaType: string, content: string) => {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    await alice.must('POST', `//v2/alice/shop/app/blobs/uploads?digest=${digest}`, undefined, { raw: content, type: TYPE });
    return { mediaType, digest, size: content.length };
  };
  const image = 'application/vnd.oci.image';
  const config = await part(
    `${image}.config.v1+json`,
    JSON.stringify({ os: 'linux', architecture: 'arm64', config: { Labels: { 'org.opencontainers.image.licenses': 'MIT' } } }),
  );
  const layers = [await part(`${image}.layer.v1.tar+gzip`, 'a layer')];
  const mediaType = `${image}.manifest.v1+json`;
  const raw = JSON.stringify({ schemaVersion: 2, mediaType, config, layers });
  await alice.must('PUT', '//v2/alice/shop/app/manifests/v1', undefined, { raw, type: mediaType });
}

async function npmDocument(version: string, tag: string): Promise<object> {
  const data = await tgz({ 'package/package.json': JSON.stringify({ name: 'left', version }) });
  const integrity = `sha512-${createHash('sha512').update(data).digest('base64')}`;
  const dist = { integrity, shasum: createHash('sha1').update(data).digest('hex'), tarball: 'http://localhost/left.tgz' };
  const manifest = { name: 'left', version, description: 'On the left', homepage: 'https://left.example', devDependencies: { test: '*' } };
  return {
    ...{ _id: 'left', name: 'left', 'dist-tags': { [tag]: version }, versions: { [version]: { ...manifest, dist } } },
    _attachments: { [`left-${version}.tgz`]: { content_type: TYPE, data: data.toString('base64'), length: data.length } },
  };
}

/** The metadata and the archive, each after its length. */
async function crate(): Promise<Buffer<ArrayBuffer>> {
  const dependency = { name: 'dep', version_req: '^0.3', features: ['std'], optional: true, default_features: false, kind: 'normal' };
  const meta = { name: 'my-crate', vers: '1.0.0', description: 'A crate', homepage: 'https://crate.example', deps: [dependency] };
  const parts = [
    Buffer.from(JSON.stringify({ ...meta, features: {}, authors: [], keywords: [], categories: [] })),
    await tgz({ 'my-crate-1.0.0/Cargo.toml': '' }),
  ];
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(part.length);
      return [length, part];
    }),
  );
}

async function deb(): Promise<Buffer<ArrayBuffer>> {
  const control = 'Package: tool\nVersion: 1.0-1\nArchitecture: amd64\nMaintainer: Ann <ann@example.com>\nDescription: Does things\n';
  const files = { 'debian-binary': '2.0\n', 'control.tar.gz': await tgz({ control }), 'data.tar.gz': await tgz({}) };
  return ar(files) as Buffer<ArrayBuffer>;
}

async function apk(): Promise<Buffer<ArrayBuffer>> {
  const info =
    'pkgname = hello\npkgver = 2.12-r0\npkgdesc = Says hello\nurl = https://hello.example\narch = x86_64\nsize = 8192\ndepend = libc\n';
  // The control part goes on in the next archive.
  const control = (await tar({ '.PKGINFO': info })).subarray(0, -1024);
  return Buffer.concat([gzipSync(control), await tgz({ 'usr/share/hello': 'hello\n' })]);
}

async function tgz(files: Readonly<Record<string, string>>): Promise<Buffer<ArrayBuffer>> {
  return gzipSync(await tar(files));
}
