import type { EmailAddress } from '../../database/tables/accounts.ts';
import type { Shape } from '../../http/schema.ts';
import type { FoundEmail } from './emails.ts';
import type { Email } from './schema.ts';

/** An e-mail address as its user sees it. */
export function presentEmail(address: EmailAddress): Shape<typeof Email> {
  return { email: address.email, verified: address.is_activated, primary: address.is_primary, user_id: 0, username: '' };
}

/** An e-mail address in the lists of administrators: with the user. */
export function presentFoundEmail(address: FoundEmail): Shape<typeof Email> {
  return { ...presentEmail(address), user_id: address.user_id, username: address.name };
}
