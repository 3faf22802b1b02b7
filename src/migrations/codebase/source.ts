import type { Fields } from '../source/fields.ts';
import { numberedPage, onlyPage, pageNumber } from '../source/lists.ts';
import type { SourceOptions } from '../source/options.ts';
import type { Source, SourceIssue, SourceMilestone, SourcePage } from '../source/source.ts';
import { type CodebaseApi, codebaseApi, numberOf } from './client.ts';
import { listMergeRequests } from './merge-requests.ts';
import { readNotes } from './notes.ts';

/** A repository on Codebase, with the tickets of its project. Merge requests have numbers of their own, which follow those of the tickets here. */
export async function codebaseSource(options: SourceOptions): Promise<Source> {
  const api = codebaseApi(options);
  return {
    repository: async () => ({
      description: (await api.find(api.repository))?.text('description', 2048) ?? '',
      defaultBranch: '',
      clone: options.url,
    }),
    milestones: async () => onlyPage((await api.list(`${api.project}/milestones`, 'ticketing-milestone')).map(readMilestone)),
    labels: async () =>
      onlyPage(
        (await api.list(`${api.project}/tickets/types`, 'ticketing-type')).map((fields) => ({
          name: fields.text('name', 1000),
          color: 'ffffff',
          description: '',
          isExclusive: false,
        })),
      ),
    issues: (cursor) => listTickets(api, cursor),
    pulls: async () => onlyPage(await listMergeRequests(api, options.withIssues ? await lastTicket(api) : 0)),
  };
}

function readMilestone(fields: Fields): SourceMilestone {
  const isClosed = fields.text('status', 50) !== 'active';
  const deadline = fields.time('deadline');
  return {
    title: fields.text('name', 1000),
    description: fields.text('description'),
    isClosed,
    deadline,
    createdAt: undefined,
    updatedAt: undefined,
    closedAt: isClosed ? deadline : undefined,
  };
}

/** The size of a page of tickets is unknown: the last one is empty or missing. */
async function listTickets(api: CodebaseApi, cursor: string): Promise<SourcePage<SourceIssue>> {
  const found = await api.list(`${api.project}/tickets`, 'ticket', { page: pageNumber(cursor) });
  const items: SourceIssue[] = [];
  for (const fields of found) items.push(await readTicket(api, fields));
  return numberedPage(cursor, items, found.length === 0);
}

/** The highest number of a ticket. */
async function lastTicket(api: CodebaseApi): Promise<number> {
  let last = 0;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const numbers = (await api.list(`${api.project}/tickets`, 'ticket', { page })).map((fields) => numberOf(fields, 'ticket-id'));
    if (numbers.length === 0) break;
    last = Math.max(last, ...numbers);
  }
  return last;
}

const MAX_PAGES = 10_000;

/** A ticket; its text is its first note. */
async function readTicket(api: CodebaseApi, fields: Fields): Promise<SourceIssue> {
  const number = numberOf(fields, 'ticket-id') || fields.id('ticket-id');
  const notes = await api.list(`${api.project}/tickets/${number}/notes`, 'ticket-note');
  const [first, ...comments] = await readNotes(api, notes);
  const isClosed = fields.object('status')?.text('treat-as-closed', 10) === 'true';
  const updatedAt = fields.time('updated-at');
  return {
    number,
    author: await api.person(numberOf(fields, 'reporter-id')),
    title: fields.text('summary', 10_000),
    body: first?.body ?? '',
    ref: '',
    milestone: fields.object('milestone')?.text('name', 1000) ?? '',
    labels: [fields.object('type')?.text('name', 1000) ?? ''].filter(Boolean),
    assignees: [],
    isClosed,
    isLocked: false,
    pin: 0,
    deadline: undefined,
    createdAt: fields.time('created-at'),
    updatedAt,
    closedAt: isClosed ? updatedAt : undefined,
    assets: [],
    comments: comments.length > 0 ? async () => onlyPage(comments) : undefined,
  };
}
