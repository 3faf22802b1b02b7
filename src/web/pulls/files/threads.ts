import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { Context } from '../../../context.ts';
import { type LineMove, lineMoves } from '../../../git/diff/line-moves.ts';
import { GitError } from '../../../git/processes/process.ts';
import type { ChosenRange } from '../../../pulls/chosen-range.ts';
import type { CodeComment } from '../../../pulls/reviews/present.ts';
import type { ShownFile } from '../../code/diff/diff-task.ts';
import { type Html, html } from '../../html.ts';
import type { ThreadSource } from '../review/source.ts';
import { codeThread } from '../review/thread.ts';
import { linesKey } from './commented-lines.ts';

/** A thread and its lines in the diff; without them it is outdated or outside of the diff. */
interface Thread {
  readonly path: string;
  readonly place: { readonly side: 'old' | 'new'; readonly line: number } | undefined;
  readonly shown: Html;
}

/** The comments on lines of a pull request, as its files show them. */
export class LineThreads {
  readonly #byPlace = new Map<string, Html>();
  readonly #byPath: Map<string, Thread[]>;
  readonly #source: ThreadSource;

  constructor(source: ThreadSource, threads: readonly Thread[]) {
    this.#source = source;
    this.#byPath = Map.groupBy(threads, ({ path }) => path);
    for (const { path, place, shown } of threads) {
      if (!place) continue;
      const key = linesKey(path, place);
      this.#byPlace.set(key, html`${this.#byPlace.get(key)}${shown}`);
    }
  }

  /** Those on a line. @param key as {@link linesKey} has it */
  at(key: string): Html | undefined {
    const shown = this.#byPlace.get(key);
    return shown && html`<div class="line-thread">${shown}</div>`;
  }

  /** The threads of a file on lines that are not shown. */
  beside(path: string, shown: ShownFile | undefined): Html | undefined {
    const threads = this.#byPath.get(path);
    if (!threads) return undefined;
    const lines = new Set(
      shown?.hunks.flatMap(({ lines }) => lines.flatMap(({ oldLine, newLine }) => [`old ${oldLine}`, `new ${newLine}`])),
    );
    const left = threads.filter(({ place }) => !place || !lines.has(`${place.side} ${place.line}`));
    if (left.length === 0) return undefined;
    const { reviewing: text } = this.#source.conversation.visit.view.text;
    const part = (threads: readonly Thread[], label: string) =>
      threads.length > 0 &&
      html`<details class="content beside-lines"><summary>${label}</summary>${threads.map(({ shown }) => shown)}</details>`;
    const outdated = left.filter(({ place }) => !place);
    const hidden = left.filter(({ place }) => place);
    return html`${part(hidden, text.hiddenComments(hidden.length))}${part(outdated, text.outdatedComments(outdated.length))}`;
  }
}

/** Reads the threads of a pull request with their lines in a part of it. */
export async function lineThreads(context: Context, source: ThreadSource, range: ChosenRange): Promise<LineThreads> {
  const placed = source.reviews.flatMap(({ comments, review }) =>
    comments.map((comment) => ({ comment, isPending: review.type === 'pending' })),
  );
  const move = await movesIn(
    context,
    source,
    range,
    placed.map(({ comment }) => comment),
  );
  const groups = Map.groupBy(placed, ({ comment: { path, line, current_line: current, review_id: review }, isPending }) =>
    current === null ? `${review} ${line} ${path}` : `${isPending} ${current} ${path}`,
  );
  const threads: Thread[] = [];
  const slice = new TimeSlice();
  for (const group of groups.values()) {
    // There may be thousands, whose texts are rendered already.
    if (slice.isOver) await slice.next();
    const [first] = group;
    if (!first) continue;
    const place = placeOf(first.comment, move);
    const comments = group.map(({ comment }) => comment);
    const shown = await codeThread(source, comments, { withCode: !place, isPending: first.isPending });
    threads.push({ path: first.comment.path, place, shown });
  }
  return new LineThreads(source, threads);
}

interface Moves {
  /** Maps lines of the head to the shown range; undefined if that ends at the head. */
  readonly toShown: LineMove | undefined;
  /** Whether lines of the base have the same numbers in the shown range. */
  readonly hasBase: boolean;
}

function placeOf({ path, current_line: line }: CodeComment, { toShown, hasBase }: Moves): Thread['place'] {
  if (line === null || line === 0) return undefined;
  if (line < 0) return hasBase ? { side: 'old', line: -line } : undefined;
  const shown = toShown ? toShown(path, line) : line;
  return shown === undefined ? undefined : { side: 'new', line: shown };
}

/** Comments refer to lines of the head, the shown range may end before it. */
async function movesIn(
  { git }: Context,
  { pull }: ThreadSource,
  { from, to, whole }: ChosenRange,
  comments: readonly CodeComment[],
): Promise<Moves> {
  const hasBase = from === whole.mergeBase;
  const paths = [...new Set(comments.filter(({ current_line: line }) => (line ?? 0) > 0).map(({ path }) => path))];
  if (to === whole.head || paths.length === 0) return { toShown: undefined, hasBase };
  try {
    return { toShown: await lineMoves(git.locate(pull.issue.repository), whole.head, to, paths), hasBase };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { toShown: () => undefined, hasBase };
  }
}
