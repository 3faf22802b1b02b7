import type { AnyRoute } from '../../http/route.ts';
import { authorizePages } from './authorize.ts';
import { emailPages } from './emails.ts';
import { firstRunPages } from './first-run.ts';
import { packagePages } from './packages.ts';
import { passkeyPages } from './passkey-settings.ts';
import { passkeySignInPages } from './passkey-sign-in.ts';
import { passwordPages } from './password.ts';
import { registrationPages } from './registration.ts';
import { securityPages } from './security.ts';
import { signInPages } from './sign-in.ts';
import { twoFactorPages } from './two-factor.ts';

/** The pages around an account: signing in, registering, passwords, security, authorizing applications. */
export const accountPages: readonly AnyRoute[] = [
  ...signInPages,
  ...passkeySignInPages,
  ...firstRunPages,
  ...registrationPages,
  ...passwordPages,
  ...securityPages,
  ...twoFactorPages,
  ...passkeyPages,
  ...emailPages,
  ...packagePages,
  ...authorizePages,
];
