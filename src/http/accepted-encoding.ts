/** The content codings that are in use (RFC 9110, 8.4.1). */
export type Encoding = 'br' | 'gzip' | 'zstd';

/**
 * The first of the offered encodings that a client accepts, and does not like less than bytes as they are. Further weights are not compared.
 * @param header `Accept-Encoding` (RFC 9110, 12.5.3)
 */
export function acceptedEncoding<E extends Encoding>(header: string | string[] | undefined, offered: readonly E[]): E | undefined {
  const weights = new Map(
    String(header ?? '')
      .split(',')
      .map((part) => part.trim().split(/(?<!\s)\s*;\s*q=/))
      .map(([name = '', weight = '1']) => [name.toLowerCase(), Number(weight) || 0]),
  );
  const identity = weights.get('identity') ?? 0;
  return offered.find((encoding) => {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    return weight > 0 && weight >= identity;
  });
}
