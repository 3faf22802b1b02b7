/**
 * Whether a client prefers a media type to the default ones, which it gets unless it names this one.
 * @param accept the header `Accept` (RFC 9110, 12.5.1)
 */
export function prefersType(accept: string | undefined, type: string, others: readonly string[]): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, q === undefined ? 1 : Number(q) || 0);
  }
  const weight = weights.get(type) ?? 0;
  return weight > 0 && others.every((other) => (weights.get(other) ?? 0) <= weight);
}
