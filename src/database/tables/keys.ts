import type { Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** SSH keys of users, and deploy keys of repositories; each is stored once. */
export interface SshKeysTable {
  id: Generated<number>;
  type: 'user' | 'deploy';
  /** Null for keys of the type `deploy`. */
  user_id: number | null;
  title: string;
  /** As in an authorized_keys file. */
  content: string;
  /** `SHA256:…` */
  fingerprint: string;
  created_at: number;
  /** The time of creation until it is used. */
  last_used_at: number;
  /** Its user has signed something with it. */
  verified: Generated<boolean>;
  /** The scope of the token that added it, which also limits requests signed with the key; null without a limit. */
  scope: string | null;
}

/** OpenPGP keys of users, and their subkeys. */
export interface GpgKeysTable {
  id: Generated<number>;
  user_id: number;
  /** 16 hexadecimal digits in upper case. */
  key_id: string;
  /** Of a subkey; empty for a primary key. */
  primary_key_id: Generated<string>;
  /** The key packet in base64. */
  content: string;
  /** The uploaded key, for verifying signatures; empty for a subkey. */
  armored: Generated<string>;
  /** The e-mail addresses of the user that the key names, in lower case. */
  emails: Json<string[]>;
  can_sign: Generated<boolean>;
  can_encrypt: Generated<boolean>;
  /** Its user has signed something with it. */
  verified: Generated<boolean>;
  /** False for a subkey without a back signature for its primary key: a user who has one can take the key over. */
  proven: Generated<boolean>;
  /** When the key was created. */
  created_at: number;
  /** Null for a key that does not expire. */
  expires_at: number | null;
  added_at: number;
}

/** The repositories that an SSH key of the type `deploy` may read, or write. */
export interface DeployKeysTable {
  id: Generated<number>;
  key_id: number;
  repository_id: number;
  title: string;
  can_write: Generated<boolean>;
  created_at: number;
  last_used_at: number | null;
}

export interface KeyTables {
  ssh_keys: SshKeysTable;
  deploy_keys: DeployKeysTable;
  gpg_keys: GpgKeysTable;
}

export type SshKey = Selectable<SshKeysTable>;
export type GpgKey = Selectable<GpgKeysTable>;
export type DeployKey = Selectable<DeployKeysTable>;
