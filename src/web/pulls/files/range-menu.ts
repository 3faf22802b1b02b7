import type { Context } from '../../../context.ts';
import { type Commit, readCommits, summary } from '../../../git/objects/commits.ts';
import { type ChosenRange, commitIds, lastReviewed } from '../../../pulls/chosen-range.ts';
import type { Pull } from '../../../pulls/find.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';

/** Commits that the menu lists. */
const MAX_LISTED = 100;

/** Chooses the part of a pull request: all of it, the changes since the user's last review, one commit, or a range. */
export async function rangeMenu(conversation: Conversation, context: Context, pull: Pull, range: ChosenRange): Promise<Html> {
  const { visit, path } = conversation;
  const { view } = visit;
  const { reviewing: text } = view.text;
  const { git } = context;
  const ids = (await commitIds(context, pull, range.whole)).slice(0, MAX_LISTED);
  const commits = await readCommits(git.locate(pull.issue.repository), git.pool, ids);
  const since = await lastReviewed(context, pull);
  const isHere = (to: string) => view.here.split('?')[0] === to;
  const link = (to: string, label: Html | string) => html`<li><a href="${to}"${isHere(to) && html` aria-current="true"`}>${label}</a></li>`;
  const sinceReview = since !== undefined && `${path}/files/${since}..${range.whole.head}`;
  return html`<details class="menu range-menu"><summary>${text.range}</summary><ul>
${link(`${path}/files`, text.allChanges)}
${sinceReview && link(sinceReview, text.sinceReview)}
${commits.map((commit) => link(`${path}/commits/${commit.oid}`, commitLabel(commit)))}
<li class="menu-text">${rangeForm(conversation, commits, range)}</li></ul></details>`;
}

function commitLabel({ oid, message }: Commit): Html {
  return html`<code>${oid.slice(0, 10)}</code> ${summary(message)}`;
}

function rangeForm({ visit: { view }, path }: Conversation, commits: readonly Commit[], { from, to }: ChosenRange): Html {
  const { reviewing: text } = view.text;
  const options = (chosen: string | undefined) =>
    commits.map(
      ({ oid, message }) =>
        html`<option value="${oid}"${oid === chosen && html` selected`}>${oid.slice(0, 10)} ${summary(message).slice(0, 60)}</option>`,
    );
  return html`<form action="${path}/files" class="range-form"><label for="range-from">${text.from}</label><select id="range-from" name="from"><option value="">${text.base}</option>${options(from)}</select>
<label for="range-to">${text.to}</label><select id="range-to" name="to">${options(to)}</select><button>${text.showRange}</button></form>`;
}
