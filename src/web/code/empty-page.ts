import type { Context } from '../../context.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { repositoryDocument } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { cloneUrls, copyField } from './clone-box.ts';
import { firstFileLinks } from './edit/links.ts';

/** A repository without a commit: how to fill it, with commands that can be pasted as they are. */
export async function emptyPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, access } = visit;
  const { text } = view;
  const { name, default_branch: branch } = repository;
  const urls = cloneUrls(context, repository);
  const [first] = urls;
  const labels = { http: text.repository.cloneHttp, ssh: text.repository.cloneSsh };
  const commands = (lines: readonly string[]) => html`<pre class="commands"><code>${lines.join('\n')}</code></pre>`;
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: '',
    body: html`<h2>${text.code.emptyTitle}</h2>
${firstFileLinks(visit, context)}
${urls.map(({ kind, url }) => html`<p><strong>${labels[kind]}</strong></p>${copyField(view, labels[kind], url)}`)}
${
  access.canWrite('code') &&
  first &&
  html`<h3>${text.code.emptyNew}</h3>
${commands([`echo "# ${name}" >> README.md`, 'git init', `git checkout -b ${branch}`, 'git add README.md', 'git commit -m "Initial commit"', `git remote add origin ${first.url}`, `git push -u origin ${branch}`])}
<h3>${text.code.emptyExisting}</h3>
${commands([`git remote add origin ${first.url}`, `git push -u origin ${branch}`])}
<h3>${text.code.emptyMirror}</h3>
${commands([`git push --mirror ${first.url}`])}`
}`,
  });
}
