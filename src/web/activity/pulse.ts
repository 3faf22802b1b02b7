import { presentUser } from '../../accounts/users/present.ts';
import { type CodePulse, readCodePulse } from '../../activity/pulse/code.ts';
import { beginOf, PERIODS, type Period } from '../../activity/pulse/period.ts';
import { type PulseList, readPulse } from '../../activity/pulse/pulse.ts';
import { now } from '../../clock.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import type { IssueRow } from '../../database/tables/issues.ts';
import type { IconName } from '../assets/icon-names.ts';
import { userLink } from '../components/avatar.ts';
import { menu } from '../components/menu.ts';
import { day, number, timeAgo } from '../components/numbers.ts';
import { titleText } from '../components/title.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon } from '../view.ts';
import { activityDocument } from './frame.ts';

/** Recent activity in a repository. */
export async function pulsePage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, access, params } = visit;
  const { activity: text } = view.text;
  const period = PERIODS.find((one) => one === params.period) ?? 'weekly';
  const until = now();
  const from = beginOf(period, until);
  const pulse = await readPulse(context, repository, access, from);
  const code = access.canRead('code') ? await readCodePulse(context, repository, from) : undefined;
  const { mergedPulls, openedPulls, closedIssues, openedIssues, unresolved, releases } = pulse;
  const counts = [
    access.canRead('pulls') && [tile('git-merge', mergedPulls, text.merged), tile('git-pull-request', openedPulls, text.proposed)],
    access.canRead('issues') && [tile('issue-closed', closedIssues, text.closed), tile('issue-opened', openedIssues, text.opened)],
    access.canRead('releases') && tile('tag', releases, text.released),
  ];
  function tile(name: IconName, { total }: PulseList<unknown>, label: (count: number) => string): Html {
    return html`<li>${icon(view, name)} <strong>${number(view, total)}</strong> <span class="muted">${label(total)}</span></li>`;
  }
  const lists = [
    issueList(visit, {
      title: text.mergedTitle(mergedPulls.total, mergedPulls.people),
      name: 'git-merge',
      list: mergedPulls,
      time: ({ merged_at }) => merged_at,
    }),
    issueList(visit, { title: text.proposedTitle(openedPulls.total, openedPulls.people), name: 'git-pull-request', list: openedPulls }),
    issueList(visit, {
      title: text.closedTitle(closedIssues.total, closedIssues.people),
      name: 'issue-closed',
      list: closedIssues,
      time: ({ closed_at }) => closed_at,
    }),
    issueList(visit, { title: text.openedTitle(openedIssues.total, openedIssues.people), name: 'issue-opened', list: openedIssues }),
    issueList(visit, {
      title: text.unresolvedTitle(unresolved.total),
      hint: text.unresolvedHint,
      name: 'comment',
      list: unresolved,
      time: ({ updated_at }) => updated_at,
    }),
  ];
  const isQuiet = Object.values(pulse).every(({ total }) => total === 0) && !code?.commits;
  return activityDocument(
    visit,
    context,
    'pulse',
    html`<div class="row code-bar"><h3 class="bar-title"><time>${day(view, from)}</time> – <time>${day(view, until)}</time></h3><span class="push">${periodMenu(visit, period)}</span></div>
<ul class="pulse-counts">${counts}</ul>
${code && codeSummary(visit, context, code)}
${releaseList(visit, releases)}${lists}${isQuiet && html`<p class="empty">${text.quiet}</p>`}`,
  );
}

function periodMenu({ view, repository }: RepositoryVisit, current: Period): Html {
  const { activity: text } = view.text;
  const links = PERIODS.map((period) => {
    const href = repositoryPath(view, repository, `activity/${period}`);
    return html`<a href="${href}"${period === current && html` aria-current="true"`}>${text.periods[period]}</a>`;
  });
  return menu(html`${text.period}: <strong>${text.periods[current]}</strong>`, links);
}

function codeSummary({ view, repository }: RepositoryVisit, context: Context, code: CodePulse): Html | false {
  const { activity: text } = view.text;
  if (code.commits === 0) return false;
  const { people, mainCommits, commits, files, additions, deletions, isCut, authors } = code;
  const most = Math.max(1, ...authors.map((author) => author.commits));
  const rows = authors.map(
    ({
      name,
      user,
      commits: own,
    }) => html`<li>${user ? userLink(view, presentUser(context, user, null)) : html`<span class="user"><strong>${name}</strong></span>`}
<svg class="author-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-up" width="${((100 * own) / most).toFixed(1)}" height="8"/></svg> <span class="muted">${text.commitCount(own)}</span></li>`,
  );
  return html`<section class="box" aria-label="${text.codeTitle}"><header><h3 class="bar-title">${icon(view, 'git-commit')} ${text.codeTitle}</h3></header>
<div class="content"><p>${text.pushed({ people, main: mainCommits, all: commits, branch: repository.default_branch })} ${text.changed(files)}
<span class="line-counts"><span class="plus">+${number(view, additions)}</span> <span class="minus">−${number(view, deletions)}</span></span></p>${isCut && html`<p class="muted">${text.cutPeriod(commits)}</p>`}
<h4>${text.topAuthors}</h4><ol class="author-bars">${rows}</ol></div></section>`;
}

interface Shown {
  readonly title: string;
  readonly hint?: string;
  readonly name: IconName;
  readonly list: PulseList<IssueRow>;
  /** When it happened; by default when it was opened. */
  readonly time?: (row: IssueRow) => number | null;
}

function issueList({ view, repository }: RepositoryVisit, { title, hint, name, list, time }: Shown): Html | false {
  if (list.total === 0) return false;
  const rows = list.rows.map((row) => {
    const href = repositoryPath(view, repository, `${row.is_pull ? 'pulls' : 'issues'}/${row.number}`);
    return html`<li>${icon(view, row.is_pull && name === 'comment' ? 'git-pull-request' : name)} <a class="issue-title" href="${href}">${titleText(row.title)}</a> <span class="muted nowrap">#${row.number}</span><span class="push muted nowrap">${timeAgo(view, time ? time(row) : row.created_at)}</span></li>`;
  });
  return html`<section class="box" aria-label="${title}"><header><h3 class="bar-title">${title}</h3></header>${hint !== undefined && html`<p class="content muted">${hint}</p>`}
<ul class="rows lines">${rows}</ul>${more(view, list)}</section>`;
}

function releaseList({ view, repository }: RepositoryVisit, list: Awaited<ReturnType<typeof readPulse>>['releases']): Html | false {
  if (list.total === 0) return false;
  const title = view.text.activity.releasedTitle(list.total, list.people);
  const rows = list.rows.map(
    ({ title: name, tag_name: tag, created_at: at, is_prerelease: isEarly }) =>
      html`<li>${icon(view, 'tag')} <a class="issue-title" href="${repositoryPath(view, repository, `releases/tag/${escapePath(tag)}`)}">${name || tag}</a> <span class="mono">${tag}</span> ${isEarly && html`<span class="badge warning">${view.text.refs.prerelease}</span>`}<span class="push muted nowrap">${timeAgo(view, at)}</span></li>`,
  );
  return html`<section class="box" aria-label="${title}"><header><h3 class="bar-title">${title}</h3></header><ul class="rows lines">${rows}</ul>${more(view, list)}</section>`;
}

function more(view: RepositoryVisit['view'], { rows, total }: PulseList<unknown>): Html | false {
  return total > rows.length && html`<p class="content muted">${view.text.activity.more(total - rows.length)}</p>`;
}
