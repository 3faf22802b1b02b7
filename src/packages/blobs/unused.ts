import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** No file of a package has the content, and nothing of an upstream; nor is it the compressed form of another one. */
export function isUnused(where: ExpressionBuilder<Tables, 'package_blobs'>) {
  const used = [
    where.selectFrom('package_files').select('id').whereRef('blob_id', '=', 'package_blobs.id'),
    where.selectFrom('package_upstream_files').select('id').whereRef('blob_id', '=', 'package_blobs.id'),
    where.selectFrom('package_upstream_files').select('id').whereRef('links_blob_id', '=', 'package_blobs.id'),
    where.selectFrom('package_compressed_blobs').select('blob_id').whereRef('gzip_blob_id', '=', 'package_blobs.id'),
  ];
  return where.and(used.map((query) => where.not(where.exists(query))));
}
