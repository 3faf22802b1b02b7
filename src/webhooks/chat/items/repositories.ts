import { escapePath } from '../../../code/escape-path.ts';
import type { Item } from '../chat-item.ts';
import { COLORS } from '../colors.ts';
import type { ChatPayload } from '../payload.ts';
import { bracketed, repositoryOf } from './shared.ts';

/** The name of a branch or a tag without its prefix. */
export function shortName(ref = ''): string {
  return ref.replace(/^refs\/(heads|tags)\//, '');
}

/** A branch or a tag that came or went. */
export function refItem(event: 'create' | 'delete', payload: ChatPayload): Item {
  const name = shortName(payload.ref);
  const url = `${repositoryOf(payload).html_url}/src/${escapePath(name)}`;
  return {
    kind: 'ref',
    headline: [...bracketed(payload), `${payload.ref_type ?? ''} `, { url, text: name }, event === 'create' ? ' created' : ' deleted'],
    namesSender: false,
    text: '',
    url,
    button: `view ref ${name}`,
    color: event === 'create' ? COLORS.green : COLORS.red,
    fact: { name: `${payload.ref_type ?? ''}:`, value: name },
  };
}

/** A new fork. */
export function forkItem(payload: ChatPayload): Item {
  const [source, fork] = [payload.forkee ?? repositoryOf(payload), repositoryOf(payload)];
  return {
    kind: 'fork',
    headline: [{ url: source.html_url, text: source.full_name }, ' is forked to ', { url: fork.html_url, text: fork.full_name }],
    namesSender: false,
    text: '',
    url: fork.html_url,
    button: `view forked repo ${fork.full_name}`,
    color: COLORS.green,
    fact: { name: 'Forkee:', value: source.full_name },
  };
}

/** Pushed commits; each service formats them in its own way. */
export function pushItem(payload: ChatPayload): Item {
  const { total_commits: total = 0, commits = [], compare_url: compare = '' } = payload;
  const name = shortName(payload.ref);
  const repository = repositoryOf(payload);
  const [only] = commits;
  const url = (total === 1 && only ? only.url : compare) || `${repository.html_url}/src/${escapePath(name)}`;
  return {
    kind: 'push',
    headline: [
      '[',
      { url: repository.html_url, text: repository.full_name },
      ':',
      { url, text: name },
      `] ${total === 1 ? '1 new commit' : `${total} new commits`}`,
    ],
    namesSender: false,
    text: '',
    url,
    button: total === 1 ? 'view commit' : 'view commits',
    color: COLORS.green,
    fact: { name: 'Commit count:', value: String(total) },
  };
}

/** A repository that came or went. */
export function repositoryItem(payload: ChatPayload): Item {
  const isNew = payload.action === 'created';
  return {
    kind: 'repository',
    headline: [...bracketed(payload), isNew ? 'Repository created' : 'Repository deleted'],
    namesSender: false,
    text: '',
    url: isNew ? repositoryOf(payload).html_url : '',
    button: 'view repository',
    color: isNew ? COLORS.green : COLORS.red,
  };
}
