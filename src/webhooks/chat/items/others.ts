import { escapePath } from '../../../code/escape-path.ts';
import type { Item } from '../chat-item.ts';
import { COLORS } from '../colors.ts';
import type { ChatPayload } from '../payload.ts';
import type { Part } from '../text.ts';
import { bracketed, repositoryOf } from './shared.ts';

const OTHER = { kind: 'other', namesSender: true } as const;
const BY_ACTION: Record<string, number> = {
  created: COLORS.green,
  published: COLORS.green,
  edited: COLORS.yellow,
  updated: COLORS.yellow,
  deleted: COLORS.red,
};

function colorOf({ action = '' }: ChatPayload): number {
  return BY_ACTION[action] ?? COLORS.yellow;
}

/** A page of a wiki. */
export function wikiItem(payload: ChatPayload): Item {
  const { page = '', action } = payload;
  const comment = typeof payload.comment === 'string' && action !== 'deleted' ? payload.comment : '';
  const link: Part = { url: `${repositoryOf(payload).html_url}/wiki/${encodeURIComponent(page)}`, text: page };
  const news: Part[] =
    action === 'created' ? ["New wiki page '", link, "'"] : ["Wiki page '", link, action === 'edited' ? "' edited" : "' deleted"];
  return {
    ...OTHER,
    headline: [...bracketed(payload), ...news, ...(comment === '' ? [] : [` (${comment})`])],
    text: comment,
    url: link.url,
    button: 'view wiki',
    color: colorOf(payload),
    fact: { name: 'Repository:', value: repositoryOf(payload).full_name },
  };
}

/** A release. */
export function releaseItem(payload: ChatPayload): Item {
  const { tag_name: tag = '', html_url: url = '', body = '' } = payload.release ?? {};
  const news = payload.action === 'published' ? 'created' : (payload.action ?? '');
  const page = `${repositoryOf(payload).html_url}/releases/tag/${escapePath(tag)}`;
  return {
    ...OTHER,
    headline: [...bracketed(payload), `Release ${news}: `, { url: page, text: tag }],
    text: body,
    url,
    button: 'view release',
    color: colorOf(payload),
    fact: { name: 'Tag:', value: tag },
  };
}

/** A version of a package. */
export function packageItem(payload: ChatPayload): Item {
  const { name = '', version = '', html_url: url = '' } = payload.package ?? {};
  return {
    ...OTHER,
    headline: [`Package ${payload.action ?? ''}: `, { url, text: `${name}:${version}` }],
    text: '',
    url,
    button: 'view package',
    color: colorOf(payload),
    fact: { name: 'Package:', value: name },
  };
}

/** The status of a commit. */
export function statusItem({ context = '', sha = '', description = '', target_url: url = '' }: ChatPayload): Item {
  return {
    ...OTHER,
    headline: ['Commit Status changed: ', { url, text: `${context} [${sha.slice(0, 10)}]` }, ` - ${description}`],
    text: '',
    url,
    button: 'Status Changed',
    color: COLORS.green,
    fact: { name: 'CommitStatus:', value: context },
  };
}

const BY_RESULT: Record<string, number> = {
  waiting: COLORS.orange,
  queued: COLORS.lightOrange,
  success: COLORS.green,
  failure: COLORS.red,
  cancelled: COLORS.yellow,
  skipped: COLORS.purple,
};

/** A run of a workflow, or one of its jobs. */
export function workflowItem({ action = '', workflow_run: run, workflow_job: job }: ChatPayload): Item {
  const one = run ?? job;
  const result = one?.conclusion || one?.status || '';
  const name = run?.display_title ?? job?.name ?? '';
  const id = run?.id ?? job?.run_id ?? 0;
  const kind = run ? 'Workflow Run' : 'Workflow Job';
  const url = one?.html_url ?? '';
  return {
    ...OTHER,
    headline: [`${kind} ${action}: `, { url, text: `${name}(#${id})[${(one?.head_sha ?? '').slice(0, 10)}]:${result}` }],
    text: '',
    url,
    button: kind,
    color: BY_RESULT[result] ?? COLORS.grey,
    fact: { name: `${kind.replace(' ', '')}:`, value: name },
  };
}
