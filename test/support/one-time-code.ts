import { type Secret, TOTP } from 'otpauth';

/** The one-time code of a secret for this time step, or one so many steps away. */
export function oneTimeCode(secret: Secret, steps = 0): string {
  return TOTP.generate({ secret, timestamp: Date.now() + steps * 30_000 });
}
