import { escapePath } from '../../code/escape-path.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import { bySender, fullHeadline, itemOf } from './item.ts';
import { shortName } from './items/repositories.ts';
import { repositoryOf } from './items/shared.ts';
import type { ChatPayload } from './payload.ts';
import type { Part } from './text.ts';

/** The two events that each service words in its own way. */
export interface Wording {
  push: (repository: Part, branch: Part) => readonly Part[];
  review: (repository: Part) => readonly Part[];
}

/** The headline for services whose rooms show many repositories: it starts with the repository. */
export function roomHeadline(event: DeliveredEvent, payload: ChatPayload, wording: Wording): readonly Part[] {
  const item = itemOf(event, payload);
  const { full_name: text, html_url: url } = repositoryOf(payload);
  const repository: Part = { url, text };
  const { login } = payload.sender;
  switch (item.kind) {
    case 'ref':
      if (event === 'delete') return ['[', repository, `:${shortName(payload.ref)}] ${payload.ref_type ?? ''} deleted by ${login}`];
      return ['[', repository, ':', refLink(payload), `] ${payload.ref_type ?? ''} created by ${login}`];
    case 'push':
      return wording.push(repository, refLink(payload));
    case 'review':
      return wording.review(repository);
    case 'repository':
      return [...item.headline, ...bySender(payload)];
    default:
      return fullHeadline(item, payload);
  }
}

/** A name alone is that of a new branch or tag; otherwise it is looked up among commits. */
function refLink(payload: ChatPayload): Part {
  const { ref = '', ref_type: type } = payload;
  const kind = /^refs\/(heads|tags)\//.exec(ref)?.[1];
  const folder = kind === 'heads' ? 'branch' : kind === 'tags' ? 'tag' : (type ?? 'commit');
  const text = shortName(ref);
  return { url: `${repositoryOf(payload).html_url}/src/${folder}/${escapePath(text)}`, text };
}
