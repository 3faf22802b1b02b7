import { InvalidScopeError, normalizeScope, parseScope } from '../../access/scopes.ts';

/** The scopes of OpenID Connect: they say which claims are sent about the user, not what a token may do. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'groups'] as const;

const MAX_LENGTH = 1000;

/** A scope as it is kept and compared: its words once each, in the order of the alphabet. */
export function normalizeGrantScope(scope: string): string {
  return [...new Set(scope.slice(0, MAX_LENGTH).split(/[\s,]+/))]
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}

/** Whether a scope has the word. */
export function grantsWord(scope: string, word: (typeof OPENID_SCOPES)[number]): boolean {
  return scope.split(' ').includes(word);
}

/**
 * What an OAuth2 token may do in the interface, as the scope of a token. Unknown words grant nothing; without any known
 * one the application may do all that the user may, as clients of this kind of service expect.
 */
export function accessScopeOf(scope: string): string {
  const known = scope.split(' ').filter(isAccessScope);
  return known.length === 0 ? 'all' : normalizeScope(parseScope(known));
}

function isAccessScope(word: string): boolean {
  try {
    return word !== '' && parseScope([word]) !== undefined;
  } catch (error) {
    if (error instanceof InvalidScopeError) return false;
    throw error;
  }
}
