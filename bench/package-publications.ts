import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ar, tar, zip } from '../test/packages/support/archives.ts';
import type { Operation, Server } from './package-server.ts';

const COUNT = 20;
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const LAYERS = 10;

/** Publications of one small file, or of a manifest whose contents are there: each with a content and a version of its own. */
export function publicationsOf(owner: string, name: string, content: Buffer): readonly Operation[] {
  const operation = (type: string, run: Operation['run']): Operation => ({ name: `${type}: publish`, count: COUNT, run });
  return [
    operation('manifest', (server, number) => publishManifest(server, `v2/${owner}/${name}-manifests`, number)),
    operation('Cargo', (server, number) => server.packages('PUT', 'cargo/api/v1/crates/new', crate(name, `1.0.${number}`, content))),
    operation('NuGet', (server, number) => server.packages('PUT', 'nuget/', nupkg(name, `1.0.${number}`, content))),
    operation('RubyGems', async (server, number) =>
      server.packages('POST', 'rubygems/api/v1/gems', await gem(name, `1.0.${number}`, content)),
    ),
    operation('Composer', (server, number) => server.packages('PUT', 'composer', composerZip(name, `1.0.${number}`, content))),
    operation('Helm', async (server, number) => server.packages('POST', 'helm/api/charts', await chart(name, `1.0.${number}`, content))),
    operation('Debian', async (server, number) =>
      server.packages('PUT', 'debian/pool/stable/main/upload', await deb(name, `1.0.${number}`, content)),
    ),
  ];
}

/** A new manifest under a new tag, for layers that the image has. */
async function publishManifest(server: Server, image: string, number: number): Promise<void> {
  const data = Array.from({ length: LAYERS + 1 }, (_, index) =>
    Buffer.from(index === 0 ? `{"architecture":"amd64","os":"linux","author":"${image}"}` : `${image} ${index}`),
  );
  const digests = data.map((bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  if (number === 1) {
    for (const [index, bytes] of data.entries()) {
      await server.images('POST', `${image}/blobs/uploads/?digest=${digests[index]}`, new Uint8Array(bytes));
    }
  }
  const part = (mediaType: string, index: number) => ({ mediaType, digest: digests[index], size: data[index]?.length });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: part('application/vnd.oci.image.config.v1+json', 0),
    layers: Array.from({ length: LAYERS }, (_, index) => part('application/vnd.oci.image.layer.v1.tar+gzip', index + 1)),
    annotations: { number: String(number) },
  });
  await server.images('PUT', `${image}/manifests/v${number}`, manifest, { 'content-type': MANIFEST });
}

function sized(bytes: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, bytes]);
}

function crate(name: string, vers: string, content: Buffer): Uint8Array<ArrayBuffer> {
  const deps = Array.from({ length: 10 }, (_, index) => ({ name: `dependency-${index}`, version_req: '^1', kind: 'normal' }));
  const metadata = Buffer.from(JSON.stringify({ name, vers, deps, license: 'MIT', description: 'A crate' }));
  return new Uint8Array(Buffer.concat([sized(metadata), sized(Buffer.concat([content, Buffer.from(`crate ${vers}`)]))]));
}

function nupkg(id: string, version: string, content: Buffer): Uint8Array<ArrayBuffer> {
  const nuspec = `<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"><metadata><id>${id}</id><version>${version}</version><authors>Ann</authors><description>A package</description></metadata></package>`;
  return new Uint8Array(zip({ [`${id}.nuspec`]: nuspec, 'lib/a.dll': content }));
}

async function gem(name: string, version: string, content: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const specification = `--- !ruby/object:Gem::Specification\nname: ${name}\nversion: !ruby/object:Gem::Version\n  version: ${version}\nplatform: ruby\nauthors:\n- Ann\nsummary: Short\n`;
  return new Uint8Array(await tar({ 'metadata.gz': gzipSync(specification), 'data.tar.gz': content }));
}

function composerZip(name: string, version: string, content: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zip({ 'composer.json': JSON.stringify({ name: `acme/${name}`, version, license: 'MIT' }), 'src/a.php': content }));
}

async function chart(name: string, version: string, content: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    gzipSync(
      await tar({ [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n`, [`${name}/values.bin`]: content }),
    ),
  );
}

async function deb(name: string, version: string, content: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const control = `Package: ${name}\nVersion: ${version}\nArchitecture: amd64\nMaintainer: Ann <ann@example.com>\nDescription: A package\n`;
  return new Uint8Array(
    ar({ 'debian-binary': '2.0\n', 'control.tar.gz': gzipSync(await tar({ './control': control })), 'data.tar': content }),
  );
}
