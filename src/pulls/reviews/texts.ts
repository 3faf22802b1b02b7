import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import type { Events } from '../../events/events.ts';
import type { Issue } from '../../issues/find.ts';
import { findMentioned, rememberMentions } from '../../issues/references/mentions.ts';
import { findTargets, refer, type Target } from '../../issues/references/references.ts';
import { namesInMarkdown } from '../../issues/references/texts.ts';
import { indexComment } from '../../issues/search/index.ts';

/** The references and mentions in the texts of a review, found before the change that publishes them. */
export interface NamesInTexts {
  /** By text. */
  readonly targets: ReadonlyMap<string, readonly Target[]>;
  readonly mentioned: readonly User[];
  /** Repositories of the referenced issues. */
  readonly repositoryIds: readonly number[];
}

/** Finds the references and mentions in texts of a review. */
export async function namesInTexts(context: Context, issue: Issue, texts: readonly string[]): Promise<NamesInTexts> {
  const targets = new Map<string, Target[]>();
  const names: string[] = [];
  const source = { repository: issue.repository, isPull: true, issueId: issue.id, isComment: true };
  for (const text of new Set(texts)) {
    const { references, mentions } = await namesInMarkdown(context, text);
    if (references.length > 0) targets.set(text, await findTargets(context, source, references));
    names.push(...mentions);
  }
  const mentioned = names.length === 0 ? [] : await findMentioned(context, issue, names);
  return { targets, mentioned, repositoryIds: [...targets.values()].flat().map((target) => target.issue.repository_id) };
}

/**
 * Records references and mentions of texts that become visible, and indexes the texts. The caller holds the lock of the issues.
 */
export async function publishNames(
  context: Context,
  issue: Issue,
  rows: readonly Pick<CommentRow, 'id' | 'issue_id' | 'repository_id' | 'body'>[],
  { targets, mentioned }: NamesInTexts,
): Promise<void> {
  await rememberMentions(context, issue.id, mentioned);
  for (const row of rows) {
    if (row.body !== '') await indexComment(context, row);
    const own = targets.get(row.body);
    if (own) await refer(context, issue, row, own, { isNew: true });
  }
}

/** Copies an edited text of the timeline row to its review. Within the change. */
export async function keepText({ commentId }: Events['comment.edited'], { db }: Context): Promise<void> {
  const columns = ['kind', 'review_id', 'body'] as const;
  const row = await db.selectFrom('comments').select(columns).where('id', '=', commentId).executeTakeFirst();
  if (row?.kind !== 'review' || row.review_id === null) return;
  await db.updateTable('reviews').set({ body: row.body, updated_at: now() }).where('id', '=', row.review_id).execute();
}
