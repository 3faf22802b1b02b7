import type { Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { Json } from './platform.ts';

/** Who may see a user or an organization: everybody, everybody signed in, or members only. */
export type Visibility = 'public' | 'limited' | 'private';

/** Users and organizations: both own repositories, so they share names and ids. */
export interface UsersTable {
  id: Generated<number>;
  type: 'individual' | 'organization';
  name: string;
  /** The name in lower case: names are unique case-insensitively. */
  lower_name: string;
  full_name: Generated<string>;
  /** The primary address; empty for organizations without one. */
  email: Generated<string>;
  keep_email_private: Generated<boolean>;
  email_notifications: Generated<string>;
  /** Which runs of workflows that the user triggered cause mails, see notifications/mail-preferences.ts. */
  run_mails: Generated<string>;
  /** An argon2id hash, or an imported one (accounts/imported-passwords.ts); empty for accounts without a password. */
  password_hash: Generated<string>;
  must_change_password: Generated<boolean>;
  login_name: Generated<string>;
  source_id: Generated<number>;
  location: Generated<string>;
  website: Generated<string>;
  description: Generated<string>;
  language: Generated<string>;
  theme: Generated<string>;
  diff_view_style: Generated<string>;
  /** Groups of events that the user's timelines leave out, separated by commas (issues/timeline/event-groups.ts). */
  hidden_events: Generated<string>;
  visibility: Generated<Visibility>;
  keep_activity_private: Generated<boolean>;
  is_active: Generated<boolean>;
  is_admin: Generated<boolean>;
  /** The user sees only what they were given access to, not what is public. */
  is_restricted: Generated<boolean>;
  prohibit_login: Generated<boolean>;
  allow_git_hook: Generated<boolean>;
  allow_import_local: Generated<boolean>;
  allow_create_organization: Generated<boolean>;
  /** How many repositories the account may own; -1 for the instance's setting. */
  max_repo_creation: Generated<number>;
  repo_admin_change_team_access: Generated<boolean>;
  /** The key of the uploaded avatar; empty for the generated one. */
  avatar: Generated<string>;
  last_login_at: Generated<number>;
  followers_count: Generated<number>;
  following_count: Generated<number>;
  stars_count: Generated<number>;
  repos_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** Every e-mail address of a user, including the primary one. */
export interface EmailAddressesTable {
  id: Generated<number>;
  user_id: number;
  email: string;
  lower_email: string;
  is_activated: Generated<boolean>;
  is_primary: Generated<boolean>;
}

export interface AccessTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the token: it is random, so it needs no slow hash. An imported token keeps its original hash until it is used. */
  token_hash: string;
  /** The salt of an imported token's hash; empty for our own kind of hash. */
  imported_salt: Generated<string>;
  token_last_eight: string;
  /** Comma separated, normalized: see access/scopes.ts. */
  scope: string;
  created_at: number;
  updated_at: number;
  last_used_at: Generated<number>;
}

/** Former names, and the account that had each. */
export interface UserRedirectsTable {
  lower_name: string;
  user_id: number;
}

export interface FollowsTable {
  follower_id: number;
  followed_id: number;
  created_at: number;
}

export interface BlocksTable {
  id: Generated<number>;
  blocker_id: number;
  blocked_id: number;
  note: Generated<string>;
  created_at: number;
}

/** TOTP secrets of users with two-factor authentication. */
export interface TwoFactorsTable {
  user_id: number;
  /** The shared secret, encrypted with the instance key. */
  secret: string;
  /** The hash of the recovery code, which is valid once; empty after use. */
  recovery_hash: Generated<string>;
  /** The salt of a hash that was imported from Gitea; empty for our own. */
  recovery_salt: Generated<string>;
  /** The last time step that was used: a code is accepted only once. */
  last_used_step: Generated<number>;
  /** The number of wrong codes since the last right one, and the time of the last. */
  failures: Generated<number>;
  failed_at: Generated<number>;
  created_at: number;
}

/** Public keys that a user signs in with, or uses as a second factor (WebAuthn). */
export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  /** Chosen by the user; unique within an account. */
  name: string;
  lower_name: string;
  /** In Base64url. */
  credential_id: string;
  /** A COSE key, in Base64url. */
  public_key: string;
  /** The device's counter of signatures; 0 for a device that does not count. */
  counter: Generated<number>;
  /** How browsers reach the device. */
  transports: Json<string[]>;
  created_at: number;
  /** 0 for a passkey that has not been used yet. */
  used_at: Generated<number>;
}

/** Challenges that were used, until they would have expired: none is valid twice. */
export interface UsedChallengesTable {
  challenge_hash: string;
  expires_at: number;
}

/** Badges that administrators give to users. */
export interface BadgesTable {
  id: Generated<number>;
  slug: string;
  description: Generated<string>;
  image_url: Generated<string>;
}

export interface UserBadgesTable {
  user_id: number;
  badge_id: number;
}

/** The number of accounts per type and visibility, maintained by triggers: the sum of the rows of a kind. */
export interface AccountCountsTable {
  type: 'individual' | 'organization';
  visibility: Visibility;
  count: number;
}

/** The number of e-mail addresses, maintained by triggers: the sum of the rows. */
export interface AddressCountsTable {
  count: number;
}

/** Failed sign-ins of an account or from an IP address, and the IP addresses from which accounts have signed in. */
export interface SignInCountersTable {
  /** A digest of what is counted, see accounts/throttle.ts. */
  key: string;
  count: number;
  /** Milliseconds of the database's clock. */
  expires_at: number;
}

export interface AccountTables {
  sign_in_counters: SignInCountersTable;
  users: UsersTable;
  account_counts: AccountCountsTable;
  address_counts: AddressCountsTable;
  email_addresses: EmailAddressesTable;
  access_tokens: AccessTokensTable;
  user_redirects: UserRedirectsTable;
  follows: FollowsTable;
  blocks: BlocksTable;
  two_factors: TwoFactorsTable;
  passkeys: PasskeysTable;
  used_challenges: UsedChallengesTable;
  badges: BadgesTable;
  user_badges: UserBadgesTable;
}

/** A user or an organization as stored. */
export type User = Selectable<UsersTable>;
export type NewUser = Insertable<UsersTable>;
export type UserUpdate = Updateable<UsersTable>;
export type Passkey = Selectable<PasskeysTable>;
export type Badge = Selectable<BadgesTable>;
export type EmailAddress = Selectable<EmailAddressesTable>;
export type AccessToken = Selectable<AccessTokensTable>;
