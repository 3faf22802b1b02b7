import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { repositoryDocument } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { icon, type View } from '../view.ts';
import { cloneUrls, copyField } from './clone-box.ts';
import { firstFileLinks } from './edit/links.ts';

/** A repository without a commit: commands to fill it, ready to paste. */
export async function emptyPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, access } = visit;
  const { text } = view;
  const urls = cloneUrls(context, repository);
  const labels = { http: text.repository.cloneHttp, ssh: text.repository.cloneSsh };
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: '',
    body: html`<h2>${text.code.emptyTitle}</h2>
${firstFileLinks(visit, context)}
${urls.map(({ kind, url }) => html`<p><strong>${labels[kind]}</strong></p>${copyField(view, labels[kind], url)}`)}
${access.canWrite('code') && urls.length > 0 && waysToFill(view, repository, urls)}`,
  });
}

/** The commands of each way, for the chosen protocol. */
function waysToFill(view: View, { name, default_branch: branch }: Repository, urls: ReturnType<typeof cloneUrls>): Html {
  const { code: text, common } = view.text;
  const choice = ({ kind }: (typeof urls)[number], index: number) =>
    html`<label class="choice"><input type="radio" name="protocol" value="${kind}"${index === 0 && html` checked`}> ${kind.toUpperCase()}</label>`;
  const commands = (linesFor: (url: string) => readonly string[]) =>
    urls.map(({ kind, url }) => {
      const lines = linesFor(url).join('\n');
      return html`<div class="commands of-${kind}"><pre tabindex="0"><code>${lines}</code></pre>
<button type="button" class="link" data-copy="${lines}" data-copied="${common.copied}" aria-label="${common.copy}">${icon(view, 'copy')}</button></div>`;
    });
  return html`<div class="ways">${urls.length > 1 && html`<fieldset class="protocols"><legend>${text.protocol}</legend>${urls.map(choice)}</fieldset>`}
<h3>${text.emptyNew}</h3>
${commands((url) => [`echo "# ${name}" >> README.md`, 'git init', `git checkout -b ${branch}`, 'git add README.md', 'git commit -m "Initial commit"', `git remote add origin ${url}`, `git push -u origin ${branch}`])}
<h3>${text.emptyExisting}</h3>
${commands((url) => [`git remote add origin ${url}`, `git push -u origin ${branch}`])}
<h3>${text.emptyMirror}</h3>
${commands((url) => [`git push --mirror ${url}`])}</div>`;
}
