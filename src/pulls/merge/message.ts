import type { Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { ghost } from '../../accounts/users/ghost.ts';
import type { Context } from '../../context.ts';
import type { MergeStyle } from '../../database/tables/pulls.ts';
import { formatIdentity } from '../../git/objects/format-identity.ts';
import { issueHtmlUrl } from '../../issues/urls.ts';
import type { Pull } from '../find.ts';
import { headRepository } from '../update/change-head.ts';
import { referencesOf } from './closing.ts';
import { fillTemplate, messageTemplate } from './template.ts';

/** The two parts of a message. */
export interface MergeMessage {
  readonly title: string;
  readonly body: string;
}

/**
 * The default message of a merge commit: from the repository's template for the style, or the usual one of the style.
 * Rebased commits have messages already: without a template there is none.
 * @param commitMessage for a rebase: that of the last commit
 */
export async function defaultMessage(
  context: Context,
  pull: Pull,
  style: MergeStyle,
  commitMessage?: string,
): Promise<MergeMessage | undefined> {
  const { issue } = pull;
  const reference = `${issue.repository.units.ext_issues ? '!' : '#'}${pull.number}`;
  const template = await messageTemplate(context, issue.repository, style);
  const head = await headRepository(context, pull);
  if (template !== undefined) {
    const [title = '', ...rest] = template.trim().split('\n');
    const values = await variables(context, pull, { head, reference, commitMessage });
    return { title: fillTemplate(title, values), body: fillTemplate(rest.join('\n').trim(), values) };
  }
  if (style === 'rebase') return undefined;
  const body = `${reviewedOn(context, pull)}\n${await reviewedBy(context, pull)}`;
  if (style === 'squash') return { title: `${issue.title} (${reference})`, body };
  const owner = head ? `${head.owner.name}/${head.name}` : '<deleted>';
  const from = head?.id === pull.repository_id ? pull.head_branch : `${owner}:${pull.head_branch}`;
  return { title: `Merge pull request '${issue.title}' (${reference}) from ${from} into ${pull.base_branch}`, body };
}

async function variables(
  context: Context,
  pull: Pull,
  { head, reference, commitMessage }: { head: Repository | undefined; reference: string; commitMessage: string | undefined },
): Promise<Map<string, string>> {
  const { issue } = pull;
  const { repository } = issue;
  const author = (await findUsersById(context.db, [issue.author_id])).get(issue.author_id) ?? ghost;
  const [closeWord = 'close'] = context.settings.issues.closeKeywords;
  const closed = (await referencesOf(context, issue)).filter(({ effect }) => effect === 'closes');
  const sign = reference.charAt(0);
  const values = {
    BaseRepoOwnerName: repository.owner.name,
    BaseRepoName: repository.name,
    BaseBranch: pull.base_branch,
    HeadRepoOwnerName: head?.owner.name ?? '',
    HeadRepoName: head?.name ?? '',
    HeadBranch: pull.head_branch,
    PullRequestTitle: issue.title,
    PullRequestDescription: issue.body,
    PullRequestPosterName: author.name,
    PullRequestIndex: String(pull.number),
    PullRequestReference: reference,
    ReviewedOn: reviewedOn(context, pull),
    ReviewedBy: await reviewedBy(context, pull),
    ClosingIssues: closed.map(({ issue }) => `${closeWord} ${sign}${issue.number}`).join(', '),
  };
  const ofCommit = commitMessage === undefined ? {} : commitParts(commitMessage);
  return new Map(Object.entries({ ...values, ...ofCommit }));
}

function commitParts(message: string): { CommitTitle: string; CommitBody: string } {
  const [title = '', ...rest] = message.split('\n');
  return { CommitTitle: title.trim(), CommitBody: rest.join('\n').trim() };
}

function reviewedOn({ settings }: Context, { issue }: Pull): string {
  return `Reviewed-on: ${issueHtmlUrl(settings, issue)}`;
}

/** A trailer for each reviewer whose latest decision is an approval, in the form of the settings. */
async function reviewedBy(context: Context, { issue_id: issueId }: Pull): Promise<string> {
  const { mergeMessageApprovers: most, mergeMessageOfficialApprovers: onlyOfficial } = context.settings.pulls;
  if (most === 0) return '';
  const rows = await context.db
    .selectFrom('reviews')
    .select((review) => ['reviewer_id', review.fn.max('id').as('latest')])
    .where('issue_id', '=', issueId)
    .where('type', '=', 'approve')
    .where('is_dismissed', '=', false)
    .where('original_author_id', '=', 0)
    .$if(onlyOfficial, (reviews) => reviews.where('is_official', '=', true))
    .groupBy('reviewer_id')
    .orderBy('latest')
    .$if(most > 0, (reviews) => reviews.limit(most))
    .execute();
  const users = await findUsersById(
    context.db,
    rows.flatMap(({ reviewer_id: id }) => id ?? []),
  );
  const known = rows.map(({ reviewer_id: id }) => users.get(id ?? 0)).filter((user) => user !== undefined);
  return known.map((user) => `Reviewed-by: ${formatIdentity(gitSignature(context, user))}\n`).join('');
}
