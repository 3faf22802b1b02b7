import { peopleOf } from '../../../code/commits/people.ts';
import { TimeSlice } from '../../../concurrency/time-slice.ts';
import type { Context } from '../../../context.ts';
import { type BlameGroup, blameFile } from '../../../git/history/blame-file.ts';
import { type Commit, readCommits, summary } from '../../../git/objects/commits.ts';
import { GitLimitError } from '../../../git/processes/process.ts';
import { isObjectId } from '../../../git/repository.ts';
import { findEntry } from '../../../git/trees/trees.ts';
import { HttpError, notFound } from '../../../http/errors.ts';
import { timeAgo } from '../../components/numbers.ts';
import { withParameter } from '../../components/pages.ts';
import type { Document } from '../../document.ts';
import { Html, html } from '../../html.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, type View } from '../../view.ts';
import { personLink } from '../commit/summary.ts';
import { readFile } from '../file/content.ts';
import { highlightedBlob } from '../file/views.ts';
import { codePath, type Location } from '../location.ts';
import { refMenu } from '../ref-menu.ts';
import { lineForm, linesMarked } from '../source/line-form.ts';
import { lineOf } from '../source/source-view.ts';
import { breadcrumbs } from '../tree.ts';

/** Groups that are sent together. */
const SENT = 100;
const IGNORED_FILE = '.git-blame-ignore-revs';
const MAX_IGNORED = 200;
const MAX_IGNORED_BYTES = 64 * 1024;
/** Size limit of a file in characters; git searches the history of each line. */
const MAX_BLAMED = 1024 * 1024;

/** The lines of a file with the commits that added them. */
export async function blamePage(visit: RepositoryVisit, context: Context, location: Location): Promise<Document> {
  const { view, repository, fields } = visit;
  const { text } = view;
  const folder = context.git.locate(repository);
  const entry = await findEntry(folder, context.git.pool, location.commit.tree, location.path);
  if (entry?.type !== 'blob' || entry.mode === '120000') throw notFound();
  const { decoded } = await readFile(context, location, entry);
  if (!decoded || decoded.text.length > MAX_BLAMED) throw new HttpError(422, text.code.notShown);
  const isBypassed = fields.get('bypass-blame-ignore') === 'true';
  const ignored = await ignoredCommits(context, location);
  const groups = await blamed(context, location, isBypassed ? [] : ignored, text.blame.tooLong);
  const lines = await highlightedBlob(context, location, entry.oid, decoded.text);
  const commits = await readCommits(folder, context.git.pool, [...new Set(groups.map(({ commit }) => commit))]);
  const notice = html`<p class="muted">${text.blame.ignoring(ignored.length)} <a href="${withParameter(view, 'bypass-blame-ignore', isBypassed ? undefined : 'true')}">${isBypassed ? text.blame.ignore : text.blame.bypass}</a></p>`;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: `${text.code.blame}: ${location.path}`,
    layout: 'wide',
    scripts: ['lines.js'],
    body: parts(
      html`<div class="row code-bar">${await refMenu(view, context, location, 'blame')} ${breadcrumbs(view, location)}
<span class="push row"><a class="button" href="${codePath(view, 'src', location)}">${text.code.source}</a><a class="button" href="${codePath(view, 'commits', location)}">${text.code.history}</a></span></div>
${ignored.length > 0 && notice}${lineForm(view, fields)}
<div class="box source chroma blame">`,
      await groupRows(visit, context, { groups, commits, lines }),
    ),
  });
}

/** The page in parts: one of a long file has some hundred bytes for each line. */
async function* parts(above: Html, groups: AsyncIterable<Html>): AsyncGenerator<Html> {
  yield above;
  yield* groups;
  yield html`</div>`;
}

async function blamed(context: Context, { repository, commit, path }: Location, ignored: readonly string[], tooLong: string) {
  const { git } = context;
  const folder = git.locate(repository);
  const compute = async () => (await blameFile(folder, commit.oid, path, ignored)) ?? [];
  try {
    const key = `blame ${commit.oid} ${ignored.length} ${path}`;
    return await git.pool.cache.remember(folder, key, (groups) => 200 * groups.length, compute);
  } catch (error) {
    if (error instanceof GitLimitError) throw new HttpError(422, tooLong);
    throw error;
  }
}

/** The commits that the repository's list excludes from blame, if they exist. */
async function ignoredCommits(context: Context, { repository, commit }: Location): Promise<string[]> {
  const { pool } = context.git;
  const folder = context.git.locate(repository);
  const entry = await findEntry(folder, pool, commit.tree, IGNORED_FILE);
  if (entry?.type !== 'blob') return [];
  const blob = await pool.read(folder, entry.oid, { maxSize: MAX_IGNORED_BYTES });
  const lines = blob?.data.toString('latin1').split('\n') ?? [];
  const ids = lines.map((line) => line.replace(/#.*/, '').trim()).filter((id) => isObjectId(id, folder.objectFormat));
  return (await readCommits(folder, pool, [...new Set(ids)].slice(0, MAX_IGNORED))).map(({ oid }) => oid);
}

interface Blame {
  readonly groups: readonly BlameGroup[];
  readonly commits: readonly Commit[];
  readonly lines: readonly string[];
}

async function groupRows(
  { view, repository, fields }: RepositoryVisit,
  context: Context,
  { groups, commits, lines }: Blame,
): Promise<AsyncGenerator<Html>> {
  const people = await peopleOf(context, commits);
  const byId = new Map(commits.map((commit) => [commit.oid, commit]));
  const persons = new Map(commits.map((commit) => [commit.oid, personLink(view, context, people, commit.author)]));
  const range = linesMarked(fields);
  const at = (path: string) => repositoryPath(view, repository, path);
  const row = ({ commit: oid, line, count, previous }: BlameGroup) => {
    const commit = byId.get(oid);
    const code = lines.slice(line - 1, line - 1 + count).map((one, index) => lineOf(line + index, one, range));
    return html`<div class="group"><div class="origin">${persons.get(oid)}
<a class="plain subject" href="${at(`commit/${oid}`)}" title="${commit?.message.slice(0, 500)}">${summary(commit?.message ?? '') || view.text.code.noMessage}</a>
<span class="muted">${timeAgo(view, commit?.committer.seconds)}</span>${previous && before(view, { repository, kind: 'commit', name: previous.commit, path: previous.path }, line)}</div>
<div class="block">${new Html(code.join(''))}</div></div>`;
  };
  return inParts(groups, row);
}

/** Groups of lines, with pauses in which others are served. */
async function* inParts(groups: readonly BlameGroup[], row: (group: BlameGroup) => Html): AsyncGenerator<Html> {
  const slice = new TimeSlice();
  for (let at = 0; at < groups.length; at += SENT) {
    if (slice.isOver) await slice.next();
    yield html`${groups.slice(at, at + SENT).map(row)}`;
  }
}

/** The same file before a change. */
function before(view: View, location: Omit<Location, 'commit'>, line: number): Html {
  const label = view.text.blame.before;
  return html`<a href="${codePath(view, 'blame', location)}#L${line}" title="${label}">${icon(view, 'history', label)}</a>`;
}
