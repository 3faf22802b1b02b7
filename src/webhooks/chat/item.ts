import { actionsUser } from '../../accounts/users/ghost.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import type { Item } from './chat-item.ts';
import { discussionItem } from './items/discussions.ts';
import { packageItem, releaseItem, statusItem, wikiItem, workflowItem } from './items/others.ts';
import { forkItem, pushItem, refItem, repositoryItem } from './items/repositories.ts';
import type { ChatPayload } from './payload.ts';
import type { Part } from './text.ts';

/** The content of a message about a payload. */
export function itemOf(event: DeliveredEvent, payload: ChatPayload): Item {
  switch (event) {
    case 'create':
    case 'delete':
      return refItem(event, payload);
    case 'fork':
      return forkItem(payload);
    case 'push':
      return pushItem(payload);
    case 'repository':
      return repositoryItem(payload);
    case 'wiki':
      return wikiItem(payload);
    case 'release':
      return releaseItem(payload);
    case 'package':
      return packageItem(payload);
    case 'status':
      return statusItem(payload);
    case 'workflow_run':
    case 'workflow_job':
      return workflowItem(payload);
    default:
      return discussionItem(event, payload);
  }
}

/** The headline, with the sender if the item names them. */
export function fullHeadline({ headline, namesSender }: Item, payload: ChatPayload): readonly Part[] {
  return namesSender ? [...headline, ...bySender(payload)] : headline;
}

/** The actor, as the end of a headline. */
export function bySender({ sender, context }: ChatPayload): Part[] {
  // Automation sets most statuses, and has no page.
  if (context !== undefined && sender.login === actionsUser.name) return [` by ${sender.full_name}`];
  return [' by ', { url: sender.html_url, text: sender.login }];
}
