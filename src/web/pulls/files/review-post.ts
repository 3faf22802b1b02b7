import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import type { Context } from '../../../context.ts';
import { forbidden, HttpError, notFound, unprocessable } from '../../../http/errors.ts';
import { refuseLocked } from '../../../issues/comments/comments.ts';
import { chosenRange } from '../../../pulls/chosen-range.ts';
import { deleteReview } from '../../../pulls/reviews/delete.ts';
import { pendingReview, writeReview } from '../../../pulls/reviews/write.ts';
import { issuePath } from '../../issues/addresses.ts';
import { type Reply, seeOther } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { pullOfVisit } from '../pull-in.ts';
import { type LinePlace, readPlace } from './place.ts';

/** What was typed into a form that is shown again. */
export interface FormAgain {
  readonly problem?: HttpError;
  readonly text: string;
}

const KINDS = { approve: 'approve', reject: 'reject', comment: 'comment', pending: 'pending' } as const;
const ID = /^[0-9a-f]{7,64}$/;

/**
 * Submits a review, adds a comment on lines to the one that is pending, or discards that.
 * @param show shows the page with what was typed
 */
export async function postReview(visit: RepositoryVisit, context: Context, show: (again: FormAgain) => Promise<Reply>): Promise<Reply> {
  const { fields, view, access } = visit;
  const { pulls: text } = view.text;
  const pull = await pullOfVisit(visit, context);
  const actor = signedInActor(context);
  refuseLocked(context, pull.issue, access);
  const pending = await pendingReview(context, pull.issue_id, actor);
  const own = issuePath(view, pull.issue).slice(view.root.length);
  if (fields.get('do') === 'discard') {
    if (!pending) throw notFound();
    await deleteReview(context, pull, pending);
    return seeOther(context, `${own}/files`);
  }
  if (fields.has('suggest')) return show({ text: fields.get('body') ?? '' });
  const wished = fields.get('type') ?? '';
  const type = Object.hasOwn(KINDS, wished) ? KINDS[wished as keyof typeof KINDS] : undefined;
  if (!type) throw unprocessable(`[type]: ${wished.slice(0, 100)}`);
  const body = fields.get('body')?.replaceAll('\r\n', '\n').trim() ?? '';
  const place = readPlace(fields.get('at') ?? '');
  try {
    if (body === '' && (place || (type !== 'approve' && !pending))) throw unprocessable(text.emptyReview);
    if (type !== 'pending' && type !== 'comment' && pull.issue.author_id === actor.id)
      throw forbidden(`${type} your own pull is not allowed`);
    const given = fields.get('commit') ?? '';
    const commitId = place && ID.test(given) ? (await chosenRange(context, pull, { to: given })).to : pull.head_id;
    const comments = place ? [{ ...commentAt(place), body }] : [];
    await writeReview(context, pull, { type, body: place ? '' : body, commitId, comments });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === 404) throw error;
    return show({ problem: error, text: fields.get('body') ?? '' });
  }
  return seeOther(context, type === 'pending' || place ? `${own}/files` : own);
}

/** Lines as reviews name them. */
function commentAt({ path, side, first, line }: LinePlace) {
  return { path, line: side === 'old' ? -line : line, lineCount: line - first + 1 };
}
