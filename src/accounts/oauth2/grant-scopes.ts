import { InvalidScopeError, normalizeScope, parseScope } from '../../access/scopes.ts';

/** The scopes of OpenID Connect: they select the claims about the user, not the rights of a token. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'groups'] as const;

const MAX_LENGTH = 1000;

/** The stored form of a scope: its words once each, in alphabetical order. */
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
 * The access scope of an OAuth2 token in the API. Unknown words grant nothing; without any known
 * one the application has all rights of the user, as clients of this kind of service expect.
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
