import { createHash, randomBytes } from 'node:crypto';
import { publicationsOf } from './package-publications.ts';
import { type Operation, Server } from './package-server.ts';
import { processorTimeOf } from './processor-time.ts';

/**
 * `node bench/package-clients.ts PID,URL NAME:PASSWORD [PID,URL…]`: the processor time that servers take for what clients of package
 * registries ask of them when they publish and install: in turns, the least of four rounds, in milliseconds for one of each. The account is
 * there on every server. `ONLY=container` measures those alone whose names begin so, `ROUNDS=8` and `TIMES=5` measure more often. Linux alone (`/proc`).
 */
const [first = '', account = '', ...others] = process.argv.slice(2);
const targets = [first, ...others].map((target) => target.split(/,(?=https?:)/));
if (!account.includes(':') || targets.some(([pid = '', url = '']) => !/^\d+$/.test(pid) || !URL.canParse(url))) {
  throw new Error('usage: node bench/package-clients.ts PID,URL NAME:PASSWORD [PID,URL…]');
}

const ROUNDS = Number(process.env.ROUNDS ?? 4);
const BIG_MIB = Number(process.env.BIG_MIB ?? 100);
const MIB = 1024 * 1024;
const LAYERS = 10;
const VERSIONS = 20;
const owner = account.slice(0, account.indexOf(':'));
const hash = (algorithm: string, data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash(algorithm).update(data).digest(encoding);

const run = randomBytes(3).toString('hex');
const content = randomBytes(50_000);
const name = `bench-${run}`;

function publishNpm(server: Server, number: number) {
  const version = `1.0.${number}`;
  const dependencies = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`dependency-${index}`, '^1.0.0']));
  const dist = { integrity: `sha512-${hash('sha512', content, 'base64')}`, shasum: hash('sha1', content) };
  const document = {
    name,
    versions: { [version]: { name, version, description: 'A package', license: 'MIT', dependencies, dist } },
    'dist-tags': { latest: version },
    _attachments: { [`${name}-${version}.tgz`]: { data: content.toString('base64'), length: content.length } },
  };
  return server.packages('PUT', `npm/${name}`, JSON.stringify(document), { 'content-type': 'application/json' });
}

async function deployMaven(server: Server, number: number): Promise<void> {
  const [version, folder] = [`1.0.${number}`, `maven/org/example/${name}`];
  const pom = `<project><groupId>org.example</groupId><artifactId>${name}</artifactId><version>${version}</version></project>`;
  const index = `<metadata><groupId>org.example</groupId><artifactId>${name}</artifactId></metadata>`;
  const jar = Buffer.concat([content, Buffer.from(version)]);
  const at = `${folder}/${version}/${name}-${version}`;
  for (const [path, data] of [
    [`${at}.jar`, jar],
    [`${at}.pom`, pom],
    [`${folder}/maven-metadata.xml`, index],
  ] as const) {
    if (path.endsWith('metadata.xml') && number > 1) await server.packages('GET', path);
    await server.packages('PUT', path, data);
    for (const algorithm of ['sha1', 'md5']) await server.packages('PUT', `${path}.${algorithm}`, hash(algorithm, data));
  }
}

async function installMaven(server: Server): Promise<void> {
  const at = `maven/org/example/${name}/1.0.1/${name}-1.0.1`;
  for (const path of [`${at}.pom`, `${at}.pom.sha1`, `${at}.jar`, `${at}.jar.sha1`]) await server.packages('GET', path);
}

function uploadPypi(server: Server, number: number) {
  const version = `1.0.${number}`;
  const wheel = Buffer.concat([content, Buffer.from(version)]);
  const form = new FormData();
  const fields = {
    ':action': 'file_upload',
    name,
    version,
    summary: 'A package',
    requires_python: '>=3.9',
    sha256_digest: hash('sha256', wheel),
  };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('content', new Blob([wheel]), `${name}-${version}-py3-none-any.whl`);
  return server.packages('POST', 'pypi/', form);
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const big = randomBytes(MIB);

function layersOf(server: Server, number: number): Buffer[] {
  return Array.from({ length: LAYERS }, (_, index) => Buffer.concat([big, Buffer.from(`${server.url} ${number} ${index}`)]));
}

async function pushImage(server: Server, number: number): Promise<void> {
  const config = Buffer.from(JSON.stringify({ architecture: 'amd64', os: 'linux', number }));
  const layers = layersOf(server, number);
  for (const data of [...layers, config]) {
    const digest = `sha256:${hash('sha256', data)}`;
    await server.images('HEAD', `v2/${owner}/${name}/blobs/${digest}`);
    const { response } = await server.images('POST', `v2/${owner}/${name}/blobs/uploads/`);
    const upload = new URL(response.headers.get('location') ?? '', server.url).href;
    await server.images('PATCH', upload, new Uint8Array(data), { 'content-type': 'application/octet-stream' });
    await server.images('PUT', `${upload}?digest=${digest}`);
  }
  const part = (mediaType: string, data: Buffer) => ({ mediaType, digest: `sha256:${hash('sha256', data)}`, size: data.length });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: part('application/vnd.oci.image.config.v1+json', config),
    layers: layers.map((layer) => part('application/vnd.oci.image.layer.v1.tar+gzip', layer)),
  });
  await server.images('PUT', `v2/${owner}/${name}/manifests/v${number}`, manifest, { 'content-type': MANIFEST });
}

async function pullImage(server: Server): Promise<void> {
  const { bytes } = await server.images('GET', `v2/${owner}/${name}/manifests/v1`, undefined, { accept: MANIFEST });
  const { config, layers } = JSON.parse(bytes.toString());
  for (const { digest } of [config, ...layers]) await server.images('GET', `v2/${owner}/${name}/blobs/${digest}`);
}

/** Bytes that are not stored yet, in one piece, so that making them is not part of the request. */
function bigFile(number: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BIG_MIB * MIB).fill(number);
  bytes.set(Buffer.from(`${run} ${number}`));
  return bytes;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'npm: publish', count: VERSIONS, run: publishNpm },
  { name: 'npm: document of the package', count: 100, run: (server) => server.packages('GET', `npm/${name}`) },
  { name: 'npm: file', count: 50, run: (server) => server.packages('GET', `npm/${name}/-/1.0.1/${name}-1.0.1.tgz`) },
  { name: 'Maven: deploy', count: VERSIONS, run: deployMaven },
  { name: 'Maven: versions', count: 100, run: (server) => server.packages('GET', `maven/org/example/${name}/maven-metadata.xml`) },
  { name: 'Maven: install', count: 20, run: installMaven },
  { name: 'PyPI: upload', count: VERSIONS, run: uploadPypi },
  { name: 'PyPI: simple index', count: 100, run: (server) => server.packages('GET', `pypi/simple/${name}`) },
  { name: 'PyPI: file', count: 50, run: (server) => server.packages('GET', `pypi/files/${name}/1.0.1/${name}-1.0.1-py3-none-any.whl`) },
  {
    name: `generic: publish ${BIG_MIB} MiB`,
    count: 1,
    run: (server, number) => server.packages('PUT', `generic/${name}/${number}/file`, bigFile(number)),
  },
  { name: `generic: read ${BIG_MIB} MiB`, count: 1, run: (server) => server.packages('GET', `generic/${name}/1/file`) },
  { name: `container: push ${LAYERS} layers`, count: 1, run: pushImage },
  { name: `container: pull ${LAYERS} layers`, count: 2, run: pullImage },
  {
    name: 'container: manifest',
    count: 100,
    run: (server) => server.images('GET', `v2/${owner}/${name}/manifests/v1`, undefined, { accept: MANIFEST }),
  },
  ...publicationsOf(owner, name, content),
];

const servers = targets.map(([pid = '', url = '']) => new Server(pid, url, account));
for (const server of servers) await server.signIn();
for (const { name: label, count: once, run: call } of OPERATIONS.filter((operation) => operation.name.startsWith(process.env.ONLY ?? ''))) {
  const count = once * Number(process.env.TIMES ?? 1);
  const least = servers.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      const before = processorTimeOf([server.pid]);
      for (let number = 1; number <= count; number++) await call(server, round * count + number);
      least[index] = Math.min(least[index] ?? 0, (processorTimeOf([server.pid]) - before) / count);
    }
  }
  const [own = 0, ...rest] = least;
  console.log(
    `${label}: ${least.map((time) => `${time.toFixed(1)} ms`).join(' | ')}${rest.map((time) => ` (${(own / time).toFixed(2)})`).join('')}`,
  );
}
