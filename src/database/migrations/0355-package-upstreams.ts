import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Registries on other servers that owners' registries read through, what is cached of them, and where the names of packages come from. */
export const packageUpstreams: SchemaMigration = {
  name: '0355-package-upstreams',
  async up(kit) {
    await kit.table('package_upstreams', {
      id: 'id',
      owner_id: 'ref:users',
      type: 'text',
      url: 'text',
      credentials: 'text?',
      enabled: 'boolean',
      priority: 'integer',
      allow: 'text',
      deny: 'text',
      anonymous_fetches: 'boolean',
      metadata_seconds: 'integer',
      max_file_size: 'integer',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('package_upstreams', ['owner_id', 'type', 'priority', 'id']);
    await createNames(kit);
    await createFiles(kit);
  },
};

type Kit = Parameters<SchemaMigration['up']>[0];

async function createNames(kit: Kit): Promise<void> {
  await kit.table('package_names', {
    id: 'id',
    owner_id: 'ref:users',
    type: 'text',
    name: 'text',
    namespace: 'text',
    package_id: 'ref?:packages',
    upstream_id: 'part?:package_upstreams',
  });
  await kit.index('package_names', ['owner_id', 'type', 'name'], { unique: true });
  await kit.index('package_names', ['owner_id', 'type', 'namespace'], { where: 'upstream_id is null' });
  await kit.index('package_names', ['upstream_id', 'name'], { where: 'upstream_id is not null' });
  await kit.index('package_names', ['package_id'], { where: 'package_id is not null' });
  await addPublishedNames(kit);
}

/** As `nameKey` and `namespaceOf` of packages/upstreams/names.ts make them. */
async function addPublishedNames({ db, dialect }: Kit): Promise<void> {
  const position = (text: string, part: string) => (dialect === 'sqlite' ? `instr(${text}, '${part}')` : `strpos(${text}, '${part}')`);
  const before = (text: string, part: string) => `substr(${text}, 1, ${position(text, part)} - 1)`;
  const slash = position('lower_name', '/');
  const rest = `substr(lower_name, ${slash} + 1)`;
  const dashes = "replace(replace(lower_name, '_', '-'), '.', '-')";
  const name = `case type when 'pypi' then replace(replace(replace(${dashes}, '---', '-'), '--', '-'), '--', '-')
    when 'cargo' then replace(lower_name, '_', '-') else lower_name end`;
  const namespace = `case
    when type = 'npm' and lower_name like '@%/%' then ${before('lower_name', '/')}
    when type = 'maven' and ${position('lower_name', ':')} > 0 then ${before('lower_name', ':')}
    when type = 'container' and ${slash} > 0 then ${before('lower_name', '/')}
    when type = 'go' and ${slash} > 0 and ${position(rest, '/')} > 0 then substr(lower_name, 1, ${slash} + ${position(rest, '/')} - 1)
    when type = 'go' and ${slash} > 0 then ${before('lower_name', '/')}
    else '' end`;
  await sql`insert into package_names (owner_id, type, name, namespace, package_id)
    select owner_id, type, ${sql.raw(name)}, ${sql.raw(namespace)}, min(id) from packages where is_internal = ${sql.raw('false')}
    group by 1, 2, 3, 4`.execute(db);
}

async function createFiles(kit: Kit): Promise<void> {
  await kit.table('package_upstream_files', {
    id: 'id',
    upstream_id: 'ref:package_upstreams',
    name_id: 'ref:package_names',
    path: 'text',
    blob_id: 'ref?:package_blobs',
    links_blob_id: 'ref?:package_blobs',
    size: 'integer',
    sha256: 'text',
    base_url: 'text',
    media_type: 'text',
    etag: 'text',
    last_modified: 'text',
    checked_at: 'time',
    retry_at: 'time',
    used_at: 'time',
  });
  await kit.index('package_upstream_files', ['upstream_id', 'path'], { unique: true });
  await kit.index('package_upstream_files', ['name_id']);
  await kit.index('package_upstream_files', ['blob_id'], { where: 'blob_id is not null' });
  await kit.index('package_upstream_files', ['links_blob_id'], { where: 'links_blob_id is not null' });
  // The least recently used go first.
  await kit.index('package_upstream_files', ['used_at', 'id'], { where: 'blob_id is not null' });
  await kit.table(
    'package_upstream_fetches',
    { upstream_id: 'ref:package_upstreams', path: 'text', process_id: 'ref:processes' },
    { primaryKey: ['upstream_id', 'path'] },
  );
  await kit.index('package_upstream_fetches', ['process_id']);
}
