import { escapePath } from '../../code/escape-path.ts';
import type { ActivityRow, ActivityType } from '../../database/tables/activity.ts';
import { escapeHtml } from '../../text/escape-html.ts';

/** Data for the wording of an activity besides its row. */
export interface Surroundings {
  /** `owner/name`, as it is shown. */
  readonly name: string;
  /** The page of the repository. */
  readonly page: string;
  /** The page of the comment or the issue, where the activity is about one. */
  readonly subject: string | undefined;
}

/** The action, as HTML that follows the actor's name, and the page that shows it. */
export interface Wording {
  readonly text: string;
  readonly link: string;
}

type Word = (row: ActivityRow, around: Surroundings) => Wording;

const branchOf = ({ ref }: ActivityRow) => ref.replace(/^refs\/heads\//, '');
const tagOf = ({ ref }: ActivityRow) => ref.replace(/^refs\/tags\//, '');
const link = (page: string, text: string) => `<a href="${escapeHtml(page)}">${escapeHtml(text)}</a>`;
const here = ({ page, name }: Surroundings) => link(page, name);
const code = (text: string) => `<code>${escapeHtml(text)}</code>`;
const branchPage = (row: ActivityRow, { page }: Surroundings) => `${page}/src/branch/${escapePath(branchOf(row))}`;

/** @param words the action on the repository */
const onRepository =
  (words: (row: ActivityRow, around: Surroundings) => string): Word =>
  (row, around) => ({ text: words(row, around), link: around.page });

/** @param isSubject whether the link leads to the comment, if there is one */
const onIssue =
  (words: string, folder: 'issues' | 'pulls', isSubject = false): Word =>
  ({ content }, { page, name, subject }) => {
    const [number = ''] = content.split('|', 1);
    const issue = `${page}/${folder}/${encodeURIComponent(number)}`;
    return { text: `${words} ${link(issue, `${name}#${number}`)}`, link: isSubject ? (subject ?? issue) : issue };
  };

const WORDS: Readonly<Record<ActivityType, Word>> = {
  create_repo: onRepository((_, around) => `created repository ${here(around)}`),
  rename_repo: onRepository(({ content }, around) => `renamed repository from ${code(content)} to ${here(around)}`),
  transfer_repo: onRepository(({ content }, around) => `transferred repository ${code(content)} to ${here(around)}`),
  commit_repo: (row, around) => {
    const branch = branchPage(row, around);
    const [verb, at] = row.content === '' ? ['created branch', 'in'] : ['pushed to', 'at'];
    return { text: `${verb} ${link(branch, branchOf(row))} ${at} ${here(around)}`, link: branch };
  },
  push_tag: (row, around) => {
    const tag = `${around.page}/src/tag/${escapePath(tagOf(row))}`;
    return { text: `pushed tag ${link(tag, tagOf(row))} to ${here(around)}`, link: tag };
  },
  delete_tag: onRepository((row, around) => `deleted tag ${escapeHtml(tagOf(row))} from ${here(around)}`),
  delete_branch: onRepository((row, around) => `deleted branch ${escapeHtml(branchOf(row))} from ${here(around)}`),
  create_issue: onIssue('opened issue', 'issues'),
  close_issue: onIssue('closed issue', 'issues', true),
  reopen_issue: onIssue('reopened issue', 'issues', true),
  comment_issue: onIssue('commented on issue', 'issues', true),
  create_pull_request: onIssue('created pull request', 'pulls'),
  close_pull_request: onIssue('closed pull request', 'pulls', true),
  reopen_pull_request: onIssue('reopened pull request', 'pulls', true),
  comment_pull: onIssue('commented on pull request', 'pulls', true),
  approve_pull_request: onIssue('approved', 'pulls', true),
  reject_pull_request: onIssue('suggested changes for', 'pulls', true),
  merge_pull_request: onIssue('merged pull request', 'pulls', true),
  auto_merge_pull_request: onIssue('automatically merged pull request', 'pulls', true),
  publish_release: (row, around) => {
    const release = `${around.page}/releases/tag/${escapePath(tagOf(row))}`;
    return { text: `released ${link(release, row.content || tagOf(row))} at ${here(around)}`, link: release };
  },
  mirror_sync_push: (row, around) => synced(row, around, (name) => `synced commits to ${name} at ${here(around)} from mirror`),
  mirror_sync_create: (row, around) => synced(row, around, (name) => `synced new reference ${name} to ${here(around)} from mirror`),
  mirror_sync_delete: onRepository((row, around) => `synced and deleted reference ${code(row.ref)} at ${here(around)} from mirror`),
};

function synced(row: ActivityRow, around: Surroundings, words: (name: string) => string): Wording {
  const page = row.ref.startsWith('refs/tags/') ? `${around.page}/src/tag/${escapePath(tagOf(row))}` : branchPage(row, around);
  return { text: words(link(page, tagOf(row).replace(/^refs\/heads\//, ''))), link: page };
}

/** An activity in words. */
export function wordingOf(row: ActivityRow, around: Surroundings): Wording {
  return WORDS[row.type](row, around);
}
