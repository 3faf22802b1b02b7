import type { Generated, Selectable } from 'kysely';
import type { PackageType } from './package-types.ts';
import type { PackageUpstreamTables } from './package-upstreams.ts';

/** Packages of an owner, by type and name. */
export interface PackagesTable {
  id: Generated<number>;
  owner_id: number;
  /** The repository that it is linked to. */
  repository_id: number | null;
  type: PackageType;
  name: string;
  /** Names are unique case-insensitively. */
  lower_name: string;
  /** Whether its versions are semantic ones. */
  semver_compatible: Generated<boolean>;
  /** Holds files that the registry generates, such as indexes; not shown to anybody. */
  is_internal: Generated<boolean>;
  created_at: number;
}

export interface PackageVersionsTable {
  id: Generated<number>;
  package_id: number;
  /** The owner of the package, for the lists of an owner. */
  owner_id: number;
  type: PackageType;
  /** Null once the account is deleted. */
  creator_id: number | null;
  version: string;
  lower_version: string;
  /** Not shown to anybody; also for parts of a version that is being published. */
  is_internal: Generated<boolean>;
  /** The format's metadata of the version, as JSON. */
  metadata: Generated<string>;
  download_count: Generated<number>;
  /** Counts the changes of what documents show of the version; see {@link PackageBlocksTable}. */
  revision: Generated<number>;
  created_at: number;
}

/** The version's parts of package documents, as before {@link PackageBlocksTable}: only processes of older versions use it. */
export interface PackageFragmentsTable {
  version_id: number;
  /** Which document, and what it depends on besides the version. */
  variant: string;
  revision: number;
  content: string;
}

/** Parts of documents that list packages; see `packages/indexes/blocks.ts`. */
export interface PackageBlocksTable {
  id: Generated<number>;
  owner_id: number;
  type: PackageType;
  /** The index with the document. */
  key: string;
  /** Which document of the index, and what it depends on besides the versions. */
  document: string;
  /** How the bytes are stored. */
  form: 'plain' | 'deflate' | 'bzip2';
  /** The versions in the block, at the time of building. */
  signature: string;
  /** A large block has several parts. */
  part: number;
  is_last: boolean;
  /** The number of bytes before compression, and their CRC-32. */
  size: number;
  crc: number;
  content: Uint8Array;
}

/** Contents of files, each stored once for all packages. */
export interface PackageBlobsTable {
  id: Generated<number>;
  /** Bytes. */
  size: number;
  /** Digests in lower-case hexadecimal digits. */
  md5: string;
  sha1: string;
  sha256: string;
  sha512: string;
  /** The end of the storage key. Contents that are stored again get a new one, so nobody deletes their bytes by the old key. */
  blob: string;
  /** When it was last stored, or linked to or unlinked from a file: without a file it stays for some time after that. */
  touched_at: number;
}

export interface PackageFilesTable {
  id: Generated<number>;
  version_id: number;
  blob_id: number;
  name: string;
  lower_name: string;
  /** Distinguishes files of one name in one version, for example by distribution; empty for most formats. */
  composite_key: Generated<string>;
  /** The file whose downloads count as downloads of the version. */
  is_lead: Generated<boolean>;
  created_at: number;
}

/** Properties of a package, a version or a file, defined by the format: one of the three ids is set. */
export interface PackagePropertiesTable {
  id: Generated<number>;
  package_id: number | null;
  version_id: number | null;
  file_id: number | null;
  name: string;
  value: string;
}

/** Uploads that consist of several requests. */
export interface PackageUploadsTable {
  /** Random; a caller who knows it and may write to the owner's packages can continue the upload. */
  id: string;
  owner_id: number;
  actor_id: number;
  /** The purpose, such as the type and the name of the package. */
  purpose: string;
  /** Bytes that have arrived. */
  size: Generated<number>;
  touched_at: number;
}

/** The parts of an upload, in their order. */
export interface PackageUploadPartsTable {
  id: Generated<number>;
  upload_id: string;
  number: number;
  size: number;
  /** The end of the storage key. */
  blob: string;
  /** The digests of its bytes as JSON, for the first part. */
  digests: string | null;
}

/** What an owner's packages have, maintained by triggers: the sum of the rows. */
export interface PackageTotalsTable {
  owner_id: number;
  /** Bytes of all files, also of those that the registry makes. */
  size: number;
  /** How many versions are shown. */
  versions: number;
}

/** What the last cleanup has counted of the contents of packages: one row, none before the first. */
export interface PackageBlobTotalsTable {
  /** The last content that was counted. */
  last_id: number;
  /** Until when no content is left without a file. */
  touched_at: number;
  /** Bytes of the contents up to the last one. */
  size: number;
}

/** Package indexes that have to be rebuilt. */
export interface PackageIndexesTable {
  owner_id: number;
  type: PackageType;
  /** Which index of the type, such as a distribution; depends on the format. */
  key: string;
  /** Counts the changes of what the index lists. */
  wanted: number;
  /** The count when the stored files were built. */
  built: number;
}

/** Keys that sign indexes. */
export interface PackageSigningKeysTable {
  owner_id: number;
  /** The format, and the kind of the key. */
  purpose: string;
  public_key: string;
  /** Encrypted. */
  private_key: string;
  created_at: number;
}

/** The key that verifies requests of a user's Chef client; only the user has the private key. */
export interface ChefKeysTable {
  user_id: number;
  /** PEM (SPKI). */
  public_key: string;
  created_at: number;
}

/** Cleanup rules of an owner for one type; the `keep_…` parts exempt versions. */
export interface PackageCleanupRulesTable {
  id: Generated<number>;
  owner_id: number;
  type: PackageType;
  enabled: boolean;
  /** This many of the newest versions of each package stay; 0 for none. */
  keep_count: number;
  /** An expression; versions that match stay. Empty for none. */
  keep_pattern: string;
  /** Younger versions stay, in days. */
  remove_days: number;
  /** An expression; only versions that match are deleted. Empty for all. */
  remove_pattern: string;
  /** The expressions match `name/version`, not the version alone. */
  match_full_name: boolean;
  created_at: number;
  updated_at: number;
}

export interface PackageTables extends PackageUpstreamTables {
  packages: PackagesTable;
  package_versions: PackageVersionsTable;
  package_fragments: PackageFragmentsTable;
  package_blocks: PackageBlocksTable;
  package_blobs: PackageBlobsTable;
  package_files: PackageFilesTable;
  package_properties: PackagePropertiesTable;
  package_totals: PackageTotalsTable;
  package_blob_totals: PackageBlobTotalsTable;
  package_uploads: PackageUploadsTable;
  package_upload_parts: PackageUploadPartsTable;
  package_indexes: PackageIndexesTable;
  package_signing_keys: PackageSigningKeysTable;
  chef_keys: ChefKeysTable;
  package_cleanup_rules: PackageCleanupRulesTable;
}

export type PackageRow = Selectable<PackagesTable>;
export type PackageVersionRow = Selectable<PackageVersionsTable>;
/** A version without its metadata, which may be long. */
export type VersionRow = Omit<PackageVersionRow, 'metadata'>;
export type PackageBlobRow = Selectable<PackageBlobsTable>;
export type PackageFileRow = Selectable<PackageFilesTable>;
export type PackagePropertyRow = Selectable<PackagePropertiesTable>;
export type PackageUploadRow = Selectable<PackageUploadsTable>;
export type PackageCleanupRuleRow = Selectable<PackageCleanupRulesTable>;
