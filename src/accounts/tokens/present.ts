import type { AccessToken as AccessTokenRow } from '../../database/tables/accounts.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { AccessToken } from './schema.ts';

/** A token in a list: without its value. */
export function presentToken(token: AccessTokenRow): Shape<typeof AccessToken> {
  return {
    id: token.id,
    name: token.name,
    sha1: '',
    token_last_eight: token.token_last_eight,
    scopes: token.scope.split(','),
    created_at: wireTime(token.created_at),
    last_used_at: wireTime(token.updated_at),
  };
}

/** The response to a creation: with the value, and without the times, as clients expect. */
export function presentNewToken(token: AccessTokenRow, value: string): Shape<typeof AccessToken> {
  return { ...presentToken(token), sha1: value, created_at: wireTime(null), last_used_at: wireTime(null) };
}
