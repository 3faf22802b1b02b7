import { canRead, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { issuesOrPulls } from '../../issues/requirements.ts';
import { issueConfig } from '../../repositories/issue-templates/config.ts';
import { issueTemplates } from '../../repositories/issue-templates/templates.ts';
import { html } from '../html.ts';
import type { Reply } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import { localUrl } from '../view.ts';

/** The choice of a template; redirects to the form if there is no choice. */
export const choosePages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/issues/new/choose',
  needs: [issuesOrPulls, signedIn, notArchived, canRead('issues')],
  get: choose,
});

async function choose(visit: RepositoryVisit, context: Context): Promise<Reply> {
  const { view, repository, request } = visit;
  const { issues: text } = view.text;
  const { templates, broken } = await issueTemplates(context, repository);
  const { config, problem } = await issueConfig(context, repository);
  const form = repositoryPath(view, repository, 'issues/new');
  const { search } = new URL(request.url);
  if (templates.length === 0 && config.contact_links.length === 0)
    return empty(302, { location: form + search, 'cache-control': 'no-store' });
  const to = (template: string) => {
    const query = new URLSearchParams(search);
    query.set('template', template);
    return `${form}?${query}`;
  };
  const item = (href: string, name: string, about: string, label: string, rel?: string) =>
    html`<li><div class="grow"><strong>${name}</strong><p class="muted">${about}</p></div><a class="button" href="${href}"${rel !== undefined && html` rel="${rel}"`}>${label} <span class="visually-hidden">${name}</span></a></li>`;
  return repositoryDocument(visit, context, {
    tab: 'issues',
    title: text.newIssue,
    body: html`<h2>${text.chooseTemplate}</h2>
${problem !== '' && html`<p class="warning">${text.invalidConfig} ${problem}</p>`}
${broken > 0 && html`<p class="warning">${text.brokenTemplates(broken)}</p>`}
<section class="box" aria-label="${text.chooseTemplate}"><ul class="rows template-rows">${templates.map(({ file_name: file, name, about }) => item(to(file), name, about, text.getStarted))}
${config.contact_links.map(({ name, about, url }) => linkItem(url, (href) => item(href, name, about, text.contactOpen, 'nofollow noopener')))}
${config.blank_issues_enabled && item(form + search, text.blankIssue, text.blankIssueHint, text.getStarted)}</ul></section>`,
  });

  /** Only links to web pages are shown. */
  function linkItem(url: string, make: (href: string) => ReturnType<typeof item>) {
    return /^(https?:\/\/|\/(?!\/))/i.test(url) && make(localUrl(view, url));
  }
}
