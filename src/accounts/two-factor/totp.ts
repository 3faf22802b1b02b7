import { createHmac, timingSafeEqual } from 'node:crypto';

/** The length of a time step in seconds (RFC 6238). */
const STEP_SECONDS = 30;
const DIGITS = 6;

/** The time step at this moment. */
export function timeStep(seconds: number): number {
  return Math.floor(seconds / STEP_SECONDS);
}

/** The code of a time step (RFC 4226, section 5.3). */
export function totp(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The time step that a code belongs to: the present one or a neighbour, for clocks that differ a little.
 * @param after steps up to this one have been used and are not accepted again
 */
export function matchingStep(secret: Uint8Array, code: string, seconds: number, after: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const current = timeStep(seconds);
  return [current - 1, current, current + 1].find(
    (step) => step > after && timingSafeEqual(Buffer.from(totp(secret, step)), Buffer.from(code)),
  );
}
