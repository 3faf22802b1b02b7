import type { SchemaMigration } from './schema-kit.ts';

/** The package registry: packages, versions, files, their contents, properties, uploads in parts, indexes, and keys that sign them. */
export const packages: SchemaMigration = {
  name: '0300-packages',
  async up(kit) {
    await kit.table('packages', {
      id: 'id',
      owner_id: 'ref:users',
      repository_id: 'ref?:repositories',
      type: 'text',
      name: 'text',
      lower_name: 'text',
      semver_compatible: 'boolean=false',
      is_internal: 'boolean=false',
      created_at: 'time',
    });
    await kit.index('packages', ['owner_id', 'type', 'lower_name', 'is_internal'], { unique: true });
    await kit.index('packages', ['repository_id']);
    await createVersions(kit);
    await createFiles(kit);
    await createUploads(kit);
    await kit.table(
      'package_indexes',
      { owner_id: 'ref:users', type: 'text', key: 'text', wanted: 'integer', built: 'integer' },
      { primaryKey: ['owner_id', 'type', 'key'] },
    );
    await kit.table(
      'package_signing_keys',
      { owner_id: 'ref:users', purpose: 'text', public_key: 'text', private_key: 'text', created_at: 'time' },
      { primaryKey: ['owner_id', 'purpose'] },
    );
  },
};

type Kit = Parameters<SchemaMigration['up']>[0];

async function createVersions(kit: Kit): Promise<void> {
  await kit.table('package_versions', {
    id: 'id',
    package_id: 'ref:packages',
    owner_id: 'ref:users',
    type: 'text',
    creator_id: 'ref?:users',
    version: 'text',
    lower_version: 'text',
    is_internal: 'boolean=false',
    metadata: 'text=null',
    download_count: 'integer=0',
    created_at: 'time',
  });
  await kit.index('package_versions', ['package_id', 'lower_version'], { unique: true });
  await kit.index('package_versions', ['package_id', 'created_at desc', 'id desc']);
  // The lists of an owner, newest first.
  await kit.index('package_versions', ['owner_id', 'is_internal', 'created_at desc', 'id desc']);
  await kit.index('package_versions', ['owner_id', 'type', 'is_internal', 'created_at desc', 'id desc']);
  await kit.index('package_versions', ['creator_id']);
}

async function createFiles(kit: Kit): Promise<void> {
  await kit.table('package_blobs', {
    id: 'id',
    size: 'integer',
    md5: 'text',
    sha1: 'text',
    sha256: 'text',
    sha512: 'text',
    blob: 'text',
    touched_at: 'time',
  });
  await kit.index('package_blobs', ['sha256'], { unique: true });
  // Those that nothing refers to any more are found by age.
  await kit.index('package_blobs', ['touched_at', 'id']);
  await kit.table('package_files', {
    id: 'id',
    version_id: 'ref:package_versions',
    blob_id: 'ref:package_blobs',
    name: 'text',
    lower_name: 'text',
    composite_key: 'text=',
    is_lead: 'boolean=false',
    created_at: 'time',
  });
  await kit.index('package_files', ['version_id', 'lower_name', 'composite_key'], { unique: true });
  await kit.index('package_files', ['blob_id']);
  await kit.index('package_blobs', ['blob']);
  await kit.index('package_files', ['lower_name']);
  await kit.table('package_properties', {
    id: 'id',
    package_id: 'part?:packages',
    version_id: 'part?:package_versions',
    file_id: 'part?:package_files',
    name: 'text',
    value: 'text',
  });
  for (const subject of ['package_id', 'version_id', 'file_id']) {
    await kit.index('package_properties', [subject, 'name', 'id'], { where: `${subject} is not null` });
  }
}

async function createUploads(kit: Kit): Promise<void> {
  await kit.table(
    'package_uploads',
    { id: 'text', owner_id: 'ref:users', actor_id: 'ref:users', purpose: 'text', size: 'integer=0', touched_at: 'time' },
    { primaryKey: ['id'] },
  );
  await kit.index('package_uploads', ['owner_id']);
  await kit.index('package_uploads', ['actor_id']);
  await kit.index('package_uploads', ['touched_at']);
  // The bytes of a part outlive the upload until they have been removed from the storage.
  await kit.table('package_upload_parts', { id: 'id', upload_id: 'text', number: 'integer', size: 'integer', blob: 'text' });
  await kit.index('package_upload_parts', ['upload_id', 'number'], { unique: true });
  await kit.index('package_upload_parts', ['blob']);
}
