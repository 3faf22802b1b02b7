import { createHmac } from 'node:crypto';
import type { DeliveredEvent } from './events.ts';
import { eventName } from './events.ts';

/** The content of the headers of a delivery. */
export interface HeaderFacts {
  uuid: string;
  event: DeliveredEvent;
  target: 'default' | 'system' | 'repository' | 'organization' | 'user';
  /** Empty for none. */
  secret: string;
  /** The input of the signature. */
  body: string;
}

/**
 * The headers under the names that receivers of Gitea, Gogs and GitHub look for. Without a secret the signatures are empty.
 * https://docs.gitea.com/usage/webhooks, https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers
 */
export function deliveryHeaders({ uuid, event, target, secret, body }: HeaderFacts): Record<string, string> {
  const name = eventName(event);
  const signature = (algorithm: 'sha1' | 'sha256') => (secret === '' ? '' : createHmac(algorithm, secret).update(body).digest('hex'));
  const strong = signature('sha256');
  return {
    'X-Gitea-Delivery': uuid,
    'X-Gitea-Event': name,
    'X-Gitea-Event-Type': event,
    'X-Gitea-Signature': strong,
    'X-Gitea-Hook-Installation-Target-Type': target,
    'X-Gogs-Delivery': uuid,
    'X-Gogs-Event': name,
    'X-Gogs-Event-Type': event,
    'X-Gogs-Signature': strong,
    'X-Hub-Signature': `sha1=${signature('sha1')}`,
    'X-Hub-Signature-256': `sha256=${strong}`,
    'X-GitHub-Delivery': uuid,
    'X-GitHub-Event': name,
    'X-GitHub-Event-Type': event,
    'X-GitHub-Hook-Installation-Target-Type': target,
  };
}
