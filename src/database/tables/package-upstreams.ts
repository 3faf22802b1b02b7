import type { Generated, Selectable } from 'kysely';
import type { PackageType } from './package-types.ts';

/** Registries on other servers that an owner's registry proxies for packages that nobody has published in it. */
export interface PackageUpstreamsTable {
  id: Generated<number>;
  owner_id: number;
  type: PackageType;
  /** Without credentials and without a slash at the end. */
  url: string;
  /** Encrypted; null for none. */
  credentials: string | null;
  enabled: boolean;
  /** The lowest first; equal ones by age, oldest first. */
  priority: number;
  /** Patterns of names, as a JSON list. */
  allow: string;
  deny: string;
  /** Anonymous callers may cause fetches of what is not cached. */
  anonymous_fetches: boolean;
  /** How long documents are served from the cache before revalidation. */
  metadata_seconds: number;
  /** Bytes. */
  max_file_size: number;
  created_at: number;
  updated_at: number;
}

/** The source of each name: published here, or an upstream. Rows of published names outlive their packages. */
export interface PackageNamesTable {
  id: Generated<number>;
  owner_id: number;
  type: PackageType;
  /** As `nameKey` writes it. */
  name: string;
  /** As `namespaceOf` writes it. */
  namespace: string;
  /** The package that was published here; null once it is deleted, and for a name of an upstream. */
  package_id: number | null;
  upstream_id: number | null;
}

/** Cached documents and files of upstreams. The row of a file stays when its content is evicted: a new fetch must return the same bytes. */
export interface PackageUpstreamFilesTable {
  id: Generated<number>;
  upstream_id: number;
  name_id: number;
  /** Identifies it, in the terms of the format. */
  path: string;
  /** Null when it was evicted. */
  blob_id: number | null;
  /** The list of the files that a document links to, see upstreams/links.ts. */
  links_blob_id: number | null;
  /** Bytes of both contents. */
  size: number;
  /** The digest of a file when it was first fetched; empty for documents, which change. */
  sha256: string;
  /** The URL that the links in a document begin with. */
  base_url: string;
  media_type: string;
  /** The upstream's validators. */
  etag: string;
  last_modified: string;
  /** When the upstream last confirmed it. */
  checked_at: number;
  /** The upstream failed: no request before this time. */
  retry_at: number;
  used_at: number;
}

/** Fetches from upstreams in progress, and the process of each; rows are deleted with the process. */
export interface PackageUpstreamFetchesTable {
  upstream_id: number;
  path: string;
  process_id: number;
}

/** Long documents that were compressed for clients that accept it. Both contents are of the registry; the row goes with either. */
export interface PackageCompressedBlobsTable {
  blob_id: number;
  gzip_blob_id: number;
}

export interface PackageUpstreamTables {
  package_compressed_blobs: PackageCompressedBlobsTable;
  package_upstreams: PackageUpstreamsTable;
  package_names: PackageNamesTable;
  package_upstream_files: PackageUpstreamFilesTable;
  package_upstream_fetches: PackageUpstreamFetchesTable;
}

export type PackageUpstreamRow = Selectable<PackageUpstreamsTable>;
export type PackageUpstreamFileRow = Selectable<PackageUpstreamFilesTable>;
