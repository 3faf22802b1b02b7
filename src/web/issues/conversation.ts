import type { Context } from '../../context.ts';
import type { AttachmentRow, CommentRow } from '../../database/tables/issues.ts';
import { readPage } from '../../http/paging.ts';
import { attachmentsOfComments, presentAttachment } from '../../issues/attachments/present.ts';
import { canWriteIssue, type Issue } from '../../issues/find.ts';
import { presentVersions, type ShownVersion } from '../../issues/history/present.ts';
import { versionsOf } from '../../issues/history/versions.ts';
import { presentIssue } from '../../issues/present.ts';
import { countReactions, type ReactionCount } from '../../issues/reactions/reactions.ts';
import { hiddenKinds } from '../../issues/timeline/event-groups.ts';
import { timelineLength, timelineOf } from '../../issues/timeline/list.ts';
import { presentTimeline } from '../../issues/timeline/present.ts';
import type { Project } from '../../projects/find.ts';
import { projectsOfRows } from '../../projects/of-issues.ts';
import type { Pages } from '../components/pages.ts';
import type { Html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { issuePath } from './paths.ts';
import { commentRenderer } from './render.ts';
import type { ShownIssue } from './shown.ts';

/** The input of a refused form, to be shown again. */
export interface Draft {
  /** The edited field: the title, the description, or a comment by its id. Otherwise the draft is that of a new comment. */
  readonly edit?: 'title' | 'body' | number | undefined;
  readonly text?: string | undefined;
  readonly preview?: Html | undefined;
  /** The error and the refused input. */
  readonly fault?: string | undefined;
}

/** A row of a timeline as the API shows it. */
export type ShownEvent = Awaited<ReturnType<typeof presentTimeline>>[number];
/** A file as the API shows it. */
export type ShownFile = ReturnType<typeof presentAttachment>;

/** The data of every page about an issue or pull request: its head, and the user's permissions. */
export interface Conversation {
  readonly visit: RepositoryVisit;
  readonly issue: Issue;
  readonly shown: ShownIssue;
  /** The path of the page, to which its forms are sent. */
  readonly path: string;
  readonly draft: Draft;
  readonly render: (text: string, footnotes: string) => Promise<Html>;
  /** Whether the reader may change labels and the like. */
  readonly canWrite: boolean;
  /** Whether the reader may change the text and the state. */
  readonly canEdit: boolean;
  readonly canComment: boolean;
  readonly settings: Context['settings'];
}

/** The same with one page of its timeline, and everything that is needed to show that. */
export interface WholeConversation extends Conversation {
  readonly rows: ReadonlyMap<number, CommentRow>;
  readonly events: readonly ShownEvent[];
  /** The boards that events are about. */
  readonly projects: ReadonlyMap<number, Project>;
  readonly pages: Pages;
  readonly files: ReadonlyMap<number, readonly ShownFile[]>;
  /** By the id of the comment; 0 for the description. */
  readonly reactions: ReadonlyMap<number, readonly ReactionCount[]>;
  /** The histories of edited texts, by the same ids. */
  readonly versions: ReadonlyMap<number, readonly ShownVersion[]>;
}

/** Rows of a timeline on one page. */
const PAGE_SIZE = 250;

/** Reads the data of every page about an issue or pull request. */
export async function readConversation(visit: RepositoryVisit, context: Context, issue: Issue, draft: Draft = {}): Promise<Conversation> {
  const { view, access, repository } = visit;
  const canWrite = canWriteIssue(access, issue) && !repository.is_archived;
  const isSignedIn = context.actor !== null && !repository.is_archived;
  return {
    visit,
    issue,
    shown: await presentIssue(context, issue),
    path: issuePath(view, issue),
    draft,
    render: await commentRenderer(context, visit),
    canWrite,
    canEdit: canWrite || (isSignedIn && issue.author_id === context.actor?.id),
    canComment: isSignedIn && (!issue.is_locked || canWrite || context.actor?.is_admin === true),
    settings: context.settings,
  };
}

/** Reads {@link readConversation} and the page of the timeline in the URL, without events that the user hides. */
export async function readTimeline(visit: RepositoryVisit, context: Context, issue: Issue, draft: Draft = {}): Promise<WholeConversation> {
  const without = hiddenKinds(context.actor);
  const total = await timelineLength(context, issue, without);
  const page = readPage({ page: Number(visit.fields.get('page')) || 1 }, { defaultSize: PAGE_SIZE, maxSize: PAGE_SIZE });
  const rows = await timelineOf(context, issue, { since: undefined, before: undefined, without }, page);
  const ids = rows.filter(({ kind }) => kind === 'comment' || kind === 'review').map(({ id }) => id);
  const dismissals = rows.filter(({ kind }) => kind === 'dismiss_review').map(({ id }) => id);
  return {
    ...(await readConversation(visit, context, issue, draft)),
    rows: new Map(rows.map((row) => [row.id, row])),
    events: await presentTimeline(context, rows, issue),
    projects: await projectsOfRows(context, rows),
    pages: { page: page.page, limit: page.limit, total },
    files: shownFiles(context, await attachmentsOfComments(context, ids)),
    reactions: await countReactions(context, issue, ids),
    versions: await presentVersions(context, await versionsOf(context, issue, [...ids, ...dismissals])),
  };
}

function shownFiles(context: Context, files: ReadonlyMap<number, readonly AttachmentRow[]>): Map<number, ShownFile[]> {
  return new Map([...files].map(([id, rows]) => [id, rows.map((row) => presentAttachment(context, row))]));
}
