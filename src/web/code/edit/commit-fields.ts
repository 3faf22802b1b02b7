import { listEmails } from '../../../accounts/emails/emails.ts';
import { gitSignature } from '../../../accounts/git-signature.ts';
import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import type { ChangeTarget } from '../../../code/contents/branch-commit.ts';
import type { Context } from '../../../context.ts';
import { branchRef } from '../../../git/refs/ref-names.ts';
import { storedRef } from '../../../git/refs/stored-refs.ts';
import type { Fields } from '../../../http/bodies/fields.ts';
import { unprocessable } from '../../../http/errors.ts';
import { checkBox, field, select, textArea } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { icon, type View } from '../../view.ts';
import type { WritableLocation } from './location.ts';

const MAX_SUMMARY = 500;
const MAX_DESCRIPTION = 64 * 1024;
const MAX_BRANCH = 100;
/** Names that are tried for a new branch. */
const MAX_NAMES = 1000;

/** The fields of a form that describe its commit. */
export interface CommitInput {
  readonly summary: string;
  readonly description: string;
  readonly signoff: boolean;
  readonly isNewBranch: boolean;
  readonly newBranch: string;
  readonly email: string;
  /** The commit that the form was created for; empty if there was none. */
  readonly lastCommit: string;
}

/** The initial values of a form. */
export function initialInput({ target, commit }: WritableLocation, message = ''): CommitInput {
  const [summary = ''] = message.split('\n', 1);
  const description = message.slice(summary.length).trim();
  return {
    ...{ summary, description, signoff: false, newBranch: '', email: '' },
    isNewBranch: !target.canCommit,
    lastCommit: commit?.oid ?? '',
  };
}

/** The values of a sent form. */
export function readInput(fields: Fields): CommitInput {
  const text = (name: string) => (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  return {
    summary: text('commit_summary').replace(/\s+/g, ' '),
    description: text('commit_message'),
    signoff: fields.has('signoff'),
    isNewBranch: text('commit_choice') === 'commit-to-new-branch',
    newBranch: text('new_branch_name'),
    email: text('commit_email'),
    lastCommit: text('last_commit'),
  };
}

/**
 * The input of the rules.
 * @param message the default message of the commit
 * @throws HttpError 422 for texts that are too long, and for an address that is not the caller's
 */
export async function changeTarget(context: Context, view: View, input: CommitInput, message: string): Promise<ChangeTarget> {
  const { summary, description, email, signoff } = input;
  if (summary.length > MAX_SUMMARY) throw unprocessable('[commit_summary]: MaxSize');
  if (description.length > MAX_DESCRIPTION) throw unprocessable('[commit_message]: MaxSize');
  const known = await emailsOf(context);
  if (email !== '' && !known.includes(email)) throw unprocessable(view.text.edit.notYourEmail);
  return {
    message: [summary || message, description].filter(Boolean).join('\n\n'),
    signoff,
    ...(email !== '' && { author: { email } }),
  };
}

/** The e-mail addresses that the user's commits may have, the default first. */
async function emailsOf(context: Context): Promise<string[]> {
  const actor = signedInActor(context);
  const usual = gitSignature(context, actor).email;
  const hidden = gitSignature(context, { ...actor, keep_email_private: true }).email;
  const confirmed = (await listEmails(context.db, actor)).filter(({ is_activated }) => is_activated).map(({ email }) => email);
  return [...new Set([usual, hidden, ...confirmed])];
}

/** The fields of every form that creates a commit. @param message the default message */
export async function commitFields(
  { view }: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  input: CommitInput,
  message: string,
): Promise<Html> {
  const { edit: text } = view.text;
  const { repository } = location;
  const emails = await emailsOf(context);
  const newBranch = input.newBranch || freeName(context, location);
  return html`<fieldset class="commit-fields"><legend>${text.commitChanges}</legend>
${field({ name: 'commit_summary', label: text.summary, value: input.summary, placeholder: message, maxLength: MAX_SUMMARY })}
${textArea({ name: 'commit_message', label: text.description, value: input.description, rows: 4, maxLength: MAX_DESCRIPTION })}
${checkBox({ name: 'signoff', label: text.signoff, isChecked: input.signoff })}
${emails.length > 1 && select({ name: 'commit_email', label: text.email, value: input.email || (emails[0] ?? ''), options: emails.map((email) => [email, email] as const) })}
${repository.is_empty ? html`<input type="hidden" name="commit_choice" value="direct">` : branchChoice(view, location, input, newBranch)}
<input type="hidden" name="last_commit" value="${input.lastCommit}"></fieldset>`;
}

function branchChoice(view: View, { branch, target }: WritableLocation, { isNewBranch }: CommitInput, newBranch: string): Html {
  const { edit: text } = view.text;
  const isNew = isNewBranch || !target.canCommit;
  const radio = (value: string, label: Html, isChecked: boolean) =>
    html`<label class="choice"><input type="radio" name="commit_choice" value="${value}"${isChecked && html` checked`}> <span>${label}</span></label>`;
  return html`<div class="field commit-choice" role="group" aria-label="${text.whereTo}">
${
  target.isFork
    ? html`<input type="hidden" name="commit_choice" value="commit-to-new-branch"><p>${icon(view, 'repo-forked')} ${text.toFork(`${target.repository.owner.name}/${target.repository.name}`)}</p>`
    : html`${radio('direct', html`${icon(view, 'git-commit')} ${text.direct} <strong>${branch}</strong>`, !isNew)}
${!target.canCommit && html`<p class="hint">${text.protectedBranch}</p>`}
${radio('commit-to-new-branch', html`${icon(view, 'git-pull-request')} ${text.toNewBranch}`, isNew)}`
}
<div class="new-branch-name">${field({ name: 'new_branch_name', label: text.newBranch, value: newBranch, maxLength: MAX_BRANCH })}</div></div>`;
}

/** A free name of a branch, such as `alice-patch-1`. */
function freeName(context: Context, { target }: WritableLocation): string {
  const folder = context.git.locate(target.repository);
  const { lower_name: name } = signedInActor(context);
  for (let number = 1; number <= MAX_NAMES; number++) {
    const free = `${name}-patch-${number}`;
    if (storedRef(folder, branchRef(free)) === undefined) return free;
  }
  return '';
}
