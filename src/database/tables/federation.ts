/** The keys that sign requests on behalf of users. */
export interface FederationKeysTable {
  user_id: number;
  /** SPKI PEM, as in the actor document. */
  public_key: string;
  /** PKCS #8 PEM, encrypted with the instance key. */
  private_key: string;
  created_at: number;
}

/** Actors of other instances that follow users of this one. */
export interface FederationFollowersTable {
  user_id: number;
  /** The URL that is its id. */
  actor: string;
  inbox: string;
  created_at: number;
}

export interface FederationTables {
  federation_keys: FederationKeysTable;
  federation_followers: FederationFollowersTable;
}
