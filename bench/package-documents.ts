import { createHash } from 'node:crypto';
import { registry } from '../test/packages/support/registry.ts';
import { testServer } from '../test/support/server.ts';

/**
 * `node bench/package-documents.ts [VERSIONS…]`: the processor time in milliseconds of publishing a version and of the first read of the
 * document that lists all versions, where the package has so many (10 and 10,000): the least of three rounds. On SQLite, with server and client in one process.
 */
const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 10_000];
const ROUNDS = 3;
const CHUNK = 500;

const t = await testServer();
const alice = await t.user('alice');
const packages = registry('alice');
const content = Buffer.from('content of a package');
const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;

interface Format {
  publish(name: string, version: string): Promise<{ status: number; text: string }>;
  read(name: string): Promise<{ status: number; text: string }>;
}

const length = (size: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(size);
  return bytes;
};

const FORMATS: Readonly<Record<string, Format>> = {
  npm: {
    publish: (name, version) => {
      const dependencies = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`dependency-${index}`, '^1.0.0']));
      const manifest = { name, version, description: 'A package of some words', license: 'MIT', dependencies, dist: { integrity } };
      const document = {
        name,
        versions: { [version]: manifest },
        'dist-tags': { latest: version },
        _attachments: { a: { data: content.toString('base64') } },
      };
      return packages.put(alice, `npm/${name}`, JSON.stringify(document));
    },
    read: (name) => packages.get(alice, `npm/${name}`),
  },
  cargo: {
    publish: (name, vers) => {
      const deps = Array.from({ length: 10 }, (_, index) => ({
        name: `dependency-${index}`,
        version_req: '^1',
        features: [],
        optional: false,
        default_features: true,
        kind: 'normal',
      }));
      const json = Buffer.from(JSON.stringify({ name, vers, deps, features: {}, license: 'MIT' }));
      return packages.put(alice, 'cargo/api/v1/crates/new', Buffer.concat([length(json.length), json, length(5), Buffer.from('crate')]));
    },
    read: (name) => packages.get(alice, `cargo/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`),
  },
  pypi: {
    publish: (name, version) => {
      const form = new FormData();
      form.set('name', name);
      form.set('version', version);
      form.set('sha256_digest', createHash('sha256').update('wheel').digest('hex'));
      form.set('content', new Blob(['wheel']), `${name}-${version}-py3-none-any.whl`);
      return alice.send('POST', '//api/packages/alice/pypi', { form });
    },
    read: (name) => packages.get(alice, `pypi/simple/${name}`),
  },
};

/** Copies the only version of a package until it has so many: publishing all of them would take long. */
async function copyVersions(name: string, count: number): Promise<void> {
  const { db } = t.context;
  const version = await db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .selectAll('package_versions')
    .where('packages.lower_name', '=', name)
    .where('package_versions.is_internal', '=', false)
    .executeTakeFirstOrThrow();
  const file = await db.selectFrom('package_files').selectAll().where('version_id', '=', version.id).executeTakeFirstOrThrow();
  const { id: _, ...columns } = version;
  const { id: __, ...fileColumns } = file;
  for (let at = 1; at < count; at += CHUNK) {
    const texts = Array.from({ length: Math.min(CHUNK, count - at) }, (_, index) => `0.${at + index}.0`);
    const rows = texts.map((text) => ({ ...columns, version: text, lower_version: text }));
    const made = await db.insertInto('package_versions').values(rows).returning('id').execute();
    await db
      .insertInto('package_files')
      .values(made.map(({ id }) => ({ ...fileColumns, version_id: id })))
      .execute();
  }
}

async function measure(what: () => Promise<{ status: number; text: string }>): Promise<number> {
  const before = process.cpuUsage();
  const { status, text } = await what();
  if (status >= 300) throw new Error(`${status}: ${text}`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

for (const [type, format] of Object.entries(FORMATS)) {
  for (const count of counts) {
    const name = `${type}${count}`;
    await measure(() => format.publish(name, '1.0.0'));
    await copyVersions(name, count);
    const whole = await measure(() => format.read(name));
    const rounds: [number, number][] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      rounds.push([await measure(() => format.publish(name, `1.0.${round}`)), await measure(() => format.read(name))]);
    }
    const again = await measure(() => format.read(name));
    const [publish = 0, read = 0] = [0, 1].map((part) => Math.min(...rounds.map((round) => round[part] ?? 0)));
    const { text } = await format.read(name);
    console.log(
      `${type} ${count} versions (${text.length} bytes): publish ${publish.toFixed(0)}, first read ${read.toFixed(0)}, read again ${again.toFixed(0)}, document made anew ${whole.toFixed(0)}`,
    );
  }
}
process.exit();
