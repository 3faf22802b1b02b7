import type { Services } from '../context.ts';
import { detailsJson } from './details.ts';
import { type Deed, type Origin, originColumns } from './entries.ts';

/** Also writes an entry to the log if the settings enable it, for log collectors. Called after the commit. */
export function logEntry(services: Pick<Services, 'log' | 'settings' | 'processes'>, origin: Origin, deed: Deed, isFailed = false): void {
  if (!services.settings.audit.toLog) return;
  const { actor_name: actor, method, credential, sudo_name: sudo, address, user_agent: userAgent } = originColumns(services, origin);
  const { action, object, details } = deed;
  const facts = { action, actor, method, credentialName: credential, sudo, address, userAgent, object: `${object.type}:${object.name}` };
  services.log.info({ requestId: origin.requestId, audit: { ...facts, details: detailsJson(details), isFailed } }, 'audit');
}
