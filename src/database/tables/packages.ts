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
  /** Names are unique without regard to case. */
  lower_name: string;
  /** Whether its versions are semantic ones. */
  semver_compatible: Generated<boolean>;
  /** Holds what the registry makes itself, such as indexes; not shown to anybody. */
  is_internal: Generated<boolean>;
  created_at: number;
}

export interface PackageVersionsTable {
  id: Generated<number>;
  package_id: number;
  /** As its package's, for the lists of an owner. */
  owner_id: number;
  type: PackageType;
  /** Null once the account is gone. */
  creator_id: number | null;
  version: string;
  lower_version: string;
  /** Not shown to anybody; also for parts of a version that is being published. */
  is_internal: Generated<boolean>;
  /** What the format knows of the version, as JSON. */
  metadata: Generated<string>;
  download_count: Generated<number>;
  /** How often it is shown in another way than before; see {@link PackageBlocksTable}. */
  revision: Generated<number>;
  created_at: number;
}

/** What documents of a package had of a version, before there were {@link PackageBlocksTable}: processes of older versions alone use it. */
export interface PackageFragmentsTable {
  version_id: number;
  /** Which document, and what it depends on beside the version. */
  variant: string;
  revision: number;
  content: string;
}

/** Parts of documents that list packages; see `packages/indexes/blocks.ts`. */
export interface PackageBlocksTable {
  id: Generated<number>;
  owner_id: number;
  type: PackageType;
  /** The index that has the document. */
  key: string;
  /** Which document of the index, and what it depends on beside the versions. */
  document: string;
  /** How the bytes are stored. */
  form: 'plain' | 'deflate' | 'bzip2';
  /** The versions of the block, as they were. */
  signature: string;
  /** A block of many bytes has several parts. */
  part: number;
  is_last: boolean;
  /** Bytes, and their CRC-32, before compression. */
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
  /** The end of the storage key. Contents that are stored anew get another, so that nobody deletes their bytes for those of the old ones. */
  blob: string;
  /** When it was last stored, or given to a file or taken from one: without a file it stays for some time after that. */
  touched_at: number;
}

export interface PackageFilesTable {
  id: Generated<number>;
  version_id: number;
  blob_id: number;
  name: string;
  lower_name: string;
  /** Tells files of one name in one version apart, such as by their distribution; empty for most formats. */
  composite_key: Generated<string>;
  /** The one whose downloads count as downloads of the version. */
  is_lead: Generated<boolean>;
  created_at: number;
}

/** What a format notes about a package, a version or a file: one of the three ids is given. */
export interface PackagePropertiesTable {
  id: Generated<number>;
  package_id: number | null;
  version_id: number | null;
  file_id: number | null;
  name: string;
  value: string;
}

/** Contents that arrive in several requests. */
export interface PackageUploadsTable {
  /** Random; who has it and may write to the owner's packages may go on with the upload. */
  id: string;
  owner_id: number;
  actor_id: number;
  /** What it is for, such as the type and the name of the package. */
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
  /** Those of its bytes as JSON, where it is the first part. */
  digests: string | null;
}

/** Which indexes of packages have to be built again. */
export interface PackageIndexesTable {
  owner_id: number;
  type: PackageType;
  /** Which of the type's indexes, such as a distribution; a matter of the format. */
  key: string;
  /** Counts the changes of what the index lists. */
  wanted: number;
  /** The count that the stored files show. */
  built: number;
}

/** Keys with which indexes are signed. */
export interface PackageSigningKeysTable {
  owner_id: number;
  /** The format, and the kind of the key. */
  purpose: string;
  public_key: string;
  /** Encrypted. */
  private_key: string;
  created_at: number;
}

/** The key by which the requests of a user's Chef client are verified; the user alone has the private half. */
export interface ChefKeysTable {
  user_id: number;
  /** PEM (SPKI). */
  public_key: string;
  created_at: number;
}

/** What an owner wants deleted of one type; it keeps what a part of it says to keep. */
export interface PackageCleanupRulesTable {
  id: Generated<number>;
  owner_id: number;
  type: PackageType;
  enabled: boolean;
  /** So many of the newest versions of each package stay; 0 for none. */
  keep_count: number;
  /** An expression; versions that match stay. Empty for none. */
  keep_pattern: string;
  /** Younger versions stay, in days. */
  remove_days: number;
  /** An expression; only versions that match go. Empty for all. */
  remove_pattern: string;
  /** The expressions are matched with `name/version`, not with the version alone. */
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
  package_uploads: PackageUploadsTable;
  package_upload_parts: PackageUploadPartsTable;
  package_indexes: PackageIndexesTable;
  package_signing_keys: PackageSigningKeysTable;
  chef_keys: ChefKeysTable;
  package_cleanup_rules: PackageCleanupRulesTable;
}

export type PackageRow = Selectable<PackagesTable>;
export type PackageVersionRow = Selectable<PackageVersionsTable>;
export type PackageBlobRow = Selectable<PackageBlobsTable>;
export type PackageFileRow = Selectable<PackageFilesTable>;
export type PackagePropertyRow = Selectable<PackagePropertiesTable>;
export type PackageUploadRow = Selectable<PackageUploadsTable>;
export type PackageCleanupRuleRow = Selectable<PackageCleanupRulesTable>;
