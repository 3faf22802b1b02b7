import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import type { Context } from '../../../context.ts';
import type { FormFields } from '../../../http/bodies/fields.ts';
import { forbidden, HttpError, notFound, unprocessable } from '../../../http/errors.ts';
import { refuseLocked } from '../../../issues/comments/comments.ts';
import { chosenRange } from '../../../pulls/chosen-range.ts';
import type { Pull } from '../../../pulls/find.ts';
import { deleteReview } from '../../../pulls/reviews/delete.ts';
import { pendingReview, writeReview } from '../../../pulls/reviews/write.ts';
import { issuePath } from '../../issues/paths.ts';
import { type Reply, seeOther } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { pullOfVisit } from '../pull-in.ts';
import { type CommentedLines, readLinesKey } from './commented-lines.ts';

/** The input of a form that is shown again. */
export interface FormAgain {
  readonly problem?: HttpError;
  readonly text: string;
}

const KINDS = { approve: 'approve', reject: 'reject', comment: 'comment', pending: 'pending' } as const;
const ID = /^[0-9a-f]{7,64}$/;

/**
 * Submits a review, adds a comment on lines to the one that is pending, or discards that.
 * @param show shows the page with the typed values
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
  const type = requestedType(fields);
  const body = fields.get('body')?.replaceAll('\r\n', '\n').trim() ?? '';
  const place = readLinesKey(fields.get('at') ?? '');
  try {
    if (body === '' && (place || (type !== 'approve' && !pending))) throw unprocessable(text.emptyReview);
    const isVerdict = type === 'approve' || type === 'reject';
    if (isVerdict && pull.issue.author_id === actor.id) throw forbidden(`${type} your own pull is not allowed`);
    const commitId = place ? await commitOfForm(context, pull, fields) : pull.head_id;
    const comments = place ? [{ ...commentAt(place), body }] : [];
    await writeReview(context, pull, { type, body: place ? '' : body, commitId, comments });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === 404) throw error;
    return show({ problem: error, text: fields.get('body') ?? '' });
  }
  return seeOther(context, type === 'pending' || place ? `${own}/files` : own);
}

/** @throws HttpError 422 */
function requestedType(fields: FormFields): keyof typeof KINDS {
  const requested = fields.get('type') ?? '';
  if (!Object.hasOwn(KINDS, requested)) throw unprocessable(`[type]: ${requested.slice(0, 100)}`);
  return requested as keyof typeof KINDS;
}

/** The commit whose lines the form showed. */
async function commitOfForm(context: Context, pull: Pull, fields: FormFields): Promise<string> {
  const given = fields.get('commit') ?? '';
  return ID.test(given) ? (await chosenRange(context, pull, { to: given })).to : pull.head_id;
}

/** Lines as reviews name them. */
function commentAt({ path, side, first, line }: CommentedLines) {
  return { path, line: side === 'old' ? -line : line, lineCount: line - first + 1 };
}
