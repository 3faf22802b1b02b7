import type { AnyRoute } from '../../src/http/route.ts';

/** The parameters of a route's path, with what the path may have in their place where it names that: `:kind(^a|b$)`. */
function parametersOf(path: string): { text: string; name: string; choices: string[] }[] {
  return [...path.matchAll(/:(\w+)(?:\(\^([^)]*)\$\))?|\*/g)].map(([text, name = '*', choices]) => ({
    text,
    name,
    choices: choices !== undefined && /^[\w|]+$/.test(choices) ? choices.split('|') : [],
  }));
}

/**
 * The addresses that a route has when its parameters are what `values` says: every choice of one of them, the others as they come first.
 * A route with a parameter that has no value has none.
 */
export function addressesOf({ path }: Pick<AnyRoute, 'path'>, values: Record<string, readonly string[]>): string[] {
  let addresses = [path as string];
  for (const { text, name, choices } of parametersOf(path)) {
    const given = choices.length > 0 ? choices : (values[name] ?? []);
    addresses = addresses.flatMap((address) => given.map((value) => address.replace(text, () => value)));
  }
  return addresses;
}

/** The headers without which a route responds before it looks at anything: Git LFS asks for its own media type. */
export function headersFor(address: string): Record<string, string> {
  return address.includes('/info/lfs/') ? { accept: 'application/vnd.git-lfs+json', 'content-type': 'application/vnd.git-lfs+json' } : {};
}
