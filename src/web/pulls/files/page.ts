import { notArchived, signedIn } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import type { ChangedFile } from '../../../git/diff/changes.ts';
import { notFound } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { type ChosenRange, chosenRange, type RangeQuery } from '../../../pulls/chosen-range.ts';
import type { Pull } from '../../../pulls/find.ts';
import { pullsOn } from '../../../pulls/requirements.ts';
import { reviewsOfPull } from '../../../pulls/reviews/of-pull.ts';
import { viewedStates } from '../../../pulls/viewed/viewed.ts';
import { diffStyle, diffView } from '../../code/diff/diff-view.ts';
import { leadingToLines } from '../../code/diff/line-field.ts';
import type { DiffOptions } from '../../code/diff/options.ts';
import { type Diff, diffQuery, openDiff } from '../../code/diff/source.ts';
import { composerBytes } from '../../components/composer.ts';
import { fault } from '../../components/fault.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { COMMENT_SCRIPTS } from '../../issues/comment.ts';
import { type Conversation, readConversation } from '../../issues/conversation.ts';
import { readDraft } from '../../issues/issue-page.ts';
import { issuePath } from '../../issues/paths.ts';
import { type Reply, seeOther } from '../../page.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { pullDocument } from '../document.ts';
import { pullOfVisit } from '../pull-in.ts';
import { type ThreadSource, threadSource } from '../review/source.ts';
import { batchForm, hasSuggestions } from '../review/suggestion.ts';
import { linesKey, readLinesKey } from './commented-lines.ts';
import { suggestionOf } from './lines.ts';
import { rangeMenu } from './range-menu.ts';
import { lineForm, lineLinks, reviewForm } from './review-form.ts';
import { type FormAgain, postReview } from './review-post.ts';
import { type LineThreads, lineThreads } from './threads.ts';
import { viewedButton, viewedCount } from './viewed.ts';

const common = { needs: pullsOn, semaphore: 'renders' } as const;
const FILES = '/:owner/:repo/pulls/:index(^[0-9]+$)/files';

/** The changes of a pull request, or of some of its commits, with the comments on its lines, and the form of a review. */
export const pullFilePages: readonly AnyRoute[] = [
  ...repositoryPage({
    ...common,
    path: FILES,
    maxBytes: composerBytes,
    get: leadingToLines(wholePage),
    postNeeds: [signedIn, notArchived],
    post: (visit, context) => postReview(visit, context, (again) => filesPage(visit, context, {}, again)),
  }),
  ...repositoryPage({
    ...common,
    path: `${FILES}/:range(^[0-9a-f.]{7,130}$)`,
    get: leadingToLines((visit, context) => filesPage(visit, context, parseRange(visit.params.range ?? ''))),
  }),
  ...repositoryPage({
    ...common,
    path: '/:owner/:repo/pulls/:index(^[0-9]+$)/commits/:sha(^[0-9a-f]{7,64}$)',
    get: leadingToLines((visit, context) => filesPage(visit, context, { only: visit.params.sha })),
  }),
];

const ID = /^[0-9a-f]{7,64}$/;

/** `from..to`, or `from` for the changes after it. @throws HttpError 404 */
function parseRange(given: string): RangeQuery {
  const [from = '', to, ...rest] = given.split('..');
  if (!ID.test(from) || (to !== undefined && !ID.test(to)) || rest.length > 0) throw notFound();
  return { from, to };
}

/** All files; the form that chooses commits redirects to their URL. */
async function wholePage(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const [from = '', to = ''] = [visit.fields.get('from'), visit.fields.get('to')];
  if (!ID.test(to)) return filesPage(visit, context, {});
  const pull = await pullOfVisit(visit, context);
  const { whole } = await chosenRange(context, pull, {});
  const start = ID.test(from) ? from : whole.mergeBase;
  const rest = start === undefined ? 'files' : `files/${start}..${to}`;
  return seeOther(context, issuePath(visit.view, pull.issue, rest).slice(visit.view.root.length));
}

async function filesPage(visit: RepositoryVisit, context: Context, requested: RangeQuery, again?: FormAgain): Promise<Document> {
  const { repository, fields } = visit;
  const pull = await pullOfVisit(visit, context);
  const conversation = await readConversation(visit, context, pull.issue, again ? {} : readDraft(visit));
  const range = await chosenRange(context, pull, requested);
  const viewed = range.isWhole ? await viewedStates(context, pull) : () => undefined;
  const sides = { base: { repository, commit: range.from }, head: { repository, commit: range.to } };
  const diff = await openDiff(context, sides, diffQuery(fields), (file) => viewed(file) === 'viewed');
  const reviews = await reviewsOfPull(context, pull.issue);
  const source = await threadSource(context, { conversation, pull, reviews, back: 'files' });
  const page = { conversation, pull, range, diff, source, again };
  const own = reviews.find(({ review }) => review.type === 'pending' && review.reviewer_id === context.actor?.id);
  const form = conversation.canComment && reviewForm(conversation, own?.comments.length ?? 0);
  return pullDocument(visit, context, {
    pull,
    conversation,
    current: 'files',
    layout: 'wide',
    scripts: ['diff.js', ...COMMENT_SCRIPTS, 'pull.js'],
    status: again?.problem ? 422 : 200,
    body: body(context, page, form, await optionsOf(visit, context, page, { viewed, hasPending: own !== undefined })),
  });
}

interface FilesPage {
  readonly conversation: Conversation;
  readonly pull: Pull;
  readonly range: ChosenRange;
  readonly diff: Diff;
  readonly source: ThreadSource;
  readonly again: FormAgain | undefined;
}

async function optionsOf(
  visit: RepositoryVisit,
  context: Context,
  page: FilesPage,
  { viewed, hasPending }: { viewed: Awaited<ReturnType<typeof viewedStates>>; hasPending: boolean },
): Promise<DiffOptions> {
  const { conversation, pull, range, diff, source } = page;
  const threads = await lineThreads(context, source, range);
  const canComment = conversation.canComment && !pull.issue.is_closed;
  const open = canComment ? await openForm(visit, context, page, hasPending) : undefined;
  const canMark = visit.view.user !== null && range.isWhole && !pull.issue.repository.is_archived;
  const count =
    canMark && viewedCount(conversation, diff.changes.files.filter((file) => viewed(file) === 'viewed').length, diff.changes.files.length);
  const onOldSide = range.from === range.whole.mergeBase;
  const lineLink = lineLinks(visit.view);
  return {
    style: await diffStyle(visit, context),
    actions: html`${await rangeMenu(conversation, context, pull, range)}${count}`,
    fileExtras: (file, shown) =>
      extrasOf(file, {
        threads,
        shown,
        button: canMark && viewedButton(conversation, file, viewed(file)),
        isViewed: viewed(file) === 'viewed',
      }),
    lineExtras: ({ path }, place) => {
      const key = linesKey(path, place);
      const thread = threads.at(key);
      return key === open?.key ? html`${thread}${open.form}` : thread;
    },
    ...(canComment && {
      lineAction: ({ path }, place) => (place.side === 'old' && !onOldSide ? undefined : lineLink(linesKey(path, place))),
    }),
  };
}

function extrasOf(
  { path }: ChangedFile,
  {
    threads,
    shown,
    button,
    isViewed,
  }: { threads: LineThreads; shown: Parameters<LineThreads['beside']>[1]; button: Html | false; isViewed: boolean },
) {
  return { header: button || undefined, above: isViewed ? undefined : threads.beside(path, shown), className: isViewed ? 'is-viewed' : '' };
}

/** The form of a comment on the lines that the URL names. */
async function openForm(visit: RepositoryVisit, context: Context, { conversation, pull, range, again }: FilesPage, hasPending: boolean) {
  const place = readLinesKey(visit.fields.get('at') ?? '');
  if (!place) return undefined;
  const suggestion = await suggestionOf(context, pull, range.to, place);
  const isRequested = visit.fields.has('suggest') && suggestion !== undefined;
  const typed = again?.text ?? '';
  const text = isRequested ? `${typed}${typed === '' || typed.endsWith('\n') ? '' : '\n'}${suggestion}` : typed;
  return { key: linesKey(place.path, place), form: lineForm(conversation, { place, commit: range.to, text, suggestion, hasPending }) };
}

async function* body(
  context: Context,
  { conversation, diff, range, source, again }: FilesPage,
  form: Html | false,
  options: DiffOptions,
): AsyncGenerator<Html> {
  const { view } = conversation.visit;
  const { reviewing: text } = view.text;
  if (again?.problem) yield fault(view, again.problem.message);
  if (form) yield form;
  if (hasSuggestions(source)) yield batchForm(source);
  if (!range.isWhole) yield html`<p class="notice">${text.partOnly} <a href="${conversation.path}/files">${text.allChanges}</a></p>`;
  yield* diffView(view, context, diff, options);
}
