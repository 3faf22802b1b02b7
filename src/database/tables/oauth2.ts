import type { Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** Programs that sign users in through this instance (RFC 6749, clients). */
export interface OAuth2ApplicationsTable {
  id: Generated<number>;
  /** The owner; null for applications that every instance offers. */
  user_id: number | null;
  name: string;
  client_id: string;
  /** SHA-256 of the secret: it is random, so it needs no slow hash. Empty where nobody has one. */
  secret_hash: Generated<string>;
  /** The client can keep its secret; a public client has to use PKCE instead. */
  is_confidential: Generated<boolean>;
  /** Users who have consented once are not asked again, although the client is public. */
  skips_consent: Generated<boolean>;
  redirect_uris: Json<string[]>;
  created_at: number;
  updated_at: number;
}

/** What a user has allowed an application. All its codes and tokens end with it. */
export interface OAuth2GrantsTable {
  id: Generated<number>;
  user_id: number;
  application_id: number;
  /** The scopes of the last consent, separated by spaces. */
  scope: Generated<string>;
  created_at: number;
  updated_at: number;
}

/** Authorization codes. A used one stays until it would have expired, so that a second use is detected. */
export interface OAuth2CodesTable {
  code_hash: string;
  grant_id: number;
  scope: Generated<string>;
  redirect_uri: string;
  /** The PKCE challenge (RFC 7636); empty where the client sent none. */
  challenge: Generated<string>;
  challenge_method: Generated<string>;
  nonce: Generated<string>;
  is_used: Generated<boolean>;
  expires_at: number;
}

/** The tokens issued for one code: each refresh replaces the refresh token before. */
export interface OAuth2TokenFamiliesTable {
  id: Generated<number>;
  grant_id: number;
  scope: Generated<string>;
  /** For the identity tokens. */
  nonce: Generated<string>;
  /** The number of the valid refresh token. */
  counter: Generated<number>;
  created_at: number;
  /** When the last refresh token expires. */
  expires_at: number;
}

/** The instance's keys for identity tokens, one for each algorithm that was ever configured. */
export interface OAuth2SigningKeysTable {
  algorithm: string;
  /** PKCS #8 PEM, encrypted with the instance key. */
  private_key: string;
  created_at: number;
}

/** Signed-in browsers. */
export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the cookie's value. */
  token_hash: string;
  /** A digest of the password's hash at sign-in: a new password ends the session. */
  password_mark: string;
  is_remembered: Generated<boolean>;
  ip: Generated<string>;
  user_agent: Generated<string>;
  created_at: number;
  /** To the minute. */
  used_at: number;
  expires_at: number;
}

export interface OAuth2Tables {
  oauth2_applications: OAuth2ApplicationsTable;
  oauth2_grants: OAuth2GrantsTable;
  oauth2_codes: OAuth2CodesTable;
  oauth2_token_families: OAuth2TokenFamiliesTable;
  oauth2_signing_keys: OAuth2SigningKeysTable;
  sessions: SessionsTable;
}

export type OAuth2Application = Selectable<OAuth2ApplicationsTable>;
export type OAuth2Grant = Selectable<OAuth2GrantsTable>;
export type Session = Selectable<SessionsTable>;
