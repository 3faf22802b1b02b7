import type { TokenGrant } from '../context.ts';
import type { ScopeCategory } from '../http/route.ts';

/**
 * Scopes of tokens: `read:` or `write:` and a category, `all`, and `public-only`, which grants nothing but limits the others to public
 * resources. Writing includes reading.
 */

/** In the order of a normalized scope. */
const CATEGORIES: readonly ScopeCategory[] = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
];

/** What a scope grants, parsed once from its text. */
export interface Scope {
  readonly publicOnly: boolean;
  readonly levels: ReadonlyMap<ScopeCategory, 'read' | 'write'>;
}

/** A word is not a scope. */
export class InvalidScopeError extends Error {
  override readonly name = 'InvalidScopeError';
}

/**
 * Parses scopes, comma separated or as a list.
 * @throws InvalidScopeError `invalid access token scope: …`
 */
export function parseScope(scopes: string | readonly string[]): Scope {
  const words = typeof scopes === 'string' ? scopes.split(',') : scopes;
  const levels = new Map<ScopeCategory, 'read' | 'write'>();
  let publicOnly = false;
  for (const word of words) {
    if (word === '') continue;
    if (word === 'public-only') publicOnly = true;
    else if (word === 'all') for (const category of CATEGORIES) levels.set(category, 'write');
    else {
      const [level, category] = word.split(':') as [string, ScopeCategory | undefined];
      const known = (level === 'read' || level === 'write') && category !== undefined && CATEGORIES.includes(category);
      if (!known || word.split(':').length !== 2) throw new InvalidScopeError(`invalid access token scope: ${word}`);
      if (levels.get(category) !== 'write') levels.set(category, level);
    }
  }
  return { publicOnly, levels };
}

/** The normal form of a scope: no duplicates, nothing that another word includes, in a fixed order. */
export function normalizeScope({ publicOnly, levels }: Scope): string {
  const isAll = CATEGORIES.every((category) => levels.get(category) === 'write');
  const granted = isAll ? ['all'] : CATEGORIES.flatMap((category) => (levels.has(category) ? [`${levels.get(category)}:${category}`] : []));
  return [...(publicOnly ? ['public-only'] : []), ...granted].join(',');
}

/** Whether the scope grants this level in every one of the categories. */
export function grants({ levels }: Scope, level: 'read' | 'write', categories: readonly ScopeCategory[]): boolean {
  return categories.every((category) => {
    const granted = levels.get(category);
    return granted === 'write' || (granted === 'read' && level === 'read');
  });
}

/** Whether this scope allows everything that `other` allows, without regard to `public-only`. */
export function includes({ levels }: Scope, other: Scope): boolean {
  return [...other.levels].every(([category, level]) => levels.get(category) === 'write' || levels.get(category) === level);
}

const parsed = new Map<string, Scope>();

/** {@link parseScope} for the scopes of stored tokens; few of them differ. */
export function storedScope(scope: string): Scope {
  const known = parsed.get(scope);
  if (known) return known;
  const made = parseScope(scope);
  if (parsed.size > 1000) parsed.clear();
  parsed.set(scope, made);
  return made;
}

/** The limits of a caller who signs in with a token of this scope. */
export function grantOfScope(scope: string): TokenGrant {
  return { scope, publicOnly: storedScope(scope).publicOnly };
}
