import { setImmediate } from 'node:timers/promises';

/** Replaces a secret in a log. */
export const MASK = '***';
/** Characters: shorter texts occur in every log by chance. */
const MIN_LENGTH = 4;
const MIN_BASE64 = 8;
/** Milliseconds after which other requests are served. */
const SLICE = 5;

/**
 * The texts that reveal a secret: itself, each of its lines, since a log has lines, and both in base64 at any offset.
 * Short ones are left out.
 */
export function maskedTexts(secrets: Iterable<string>): string[] {
  const texts = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/\r?\n/).map((line) => line.trim());
    for (const text of [secret.replaceAll('\n', '\\n'), ...lines]) if (text.trim().length >= MIN_LENGTH) texts.add(text);
    for (const text of [secret, secret.trim(), ...lines]) for (const encoded of inBase64(text)) texts.add(encoded);
  }
  // A secret may be a part of another.
  return [...texts].sort((a, b) => b.length - a.length);
}

/** A text in base64 at each of the three offsets, without the characters that depend on its neighbours. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    const part = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    if (part.length < MIN_BASE64) continue;
    found.push(part);
    const standard = part.replaceAll('-', '+').replaceAll('_', '/');
    if (standard !== part) found.push(standard);
  }
  return found;
}

/** The lines with {@link MASK} instead of these texts. Yields to other work between texts. */
export async function maskLines(lines: readonly string[], texts: readonly string[]): Promise<string[]> {
  // One search over all lines for each text: few of them are ever found.
  let all = lines.join('\n');
  let start = performance.now();
  for (const text of texts) {
    if (all.includes(text)) all = all.replaceAll(text, MASK);
    if (performance.now() - start < SLICE) continue;
    await setImmediate();
    start = performance.now();
  }
  return all.split('\n');
}
