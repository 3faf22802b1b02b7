import { findUser } from '../../access/find-user.ts';
import type { Credentials } from '../../access/provided.ts';
import type { Services } from '../../context.ts';
import { internalContext } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { isWithin } from '../../text/ip-addresses.ts';
import { createUser } from '../create.ts';

/**
 * The user named in the header of a trusted proxy; an unknown one gets an account
 * if the settings say so. The header is ignored in requests from anywhere else.
 */
export async function signInByProxy(services: Services, { headers, peer }: Credentials): Promise<User | undefined> {
  const { reverseProxy, server } = services.settings;
  if (!isWithin(peer, server.trustedProxies)) return undefined;
  const name = header(headers, reverseProxy.userHeader);
  if (name === '') return undefined;
  const known = await findUser(services.database.db, name);
  if (known) return known.type === 'individual' ? known : undefined;
  if (!reverseProxy.register) return undefined;
  const email = header(headers, reverseProxy.emailHeader) || `${name}@${services.settings.users.noReplyDomain}`;
  return createUser(internalContext(services), { name, email, fullName: header(headers, reverseProxy.fullNameHeader), password: '' });
}

function header(headers: Credentials['headers'], name: string): string {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
}
