import { canRead } from '../../../access/requirements.ts';
import { listTags } from '../../../code/tags/tags.ts';
import type { Context } from '../../../context.ts';
import type { Tag } from '../../../git/refs/tags.ts';
import { readPage } from '../../../http/paging.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { actionButton } from '../../components/form.ts';
import { menu } from '../../components/menu.ts';
import { timeAgo } from '../../components/numbers.ts';
import { pageLinks } from '../../components/pages.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { repositoryDocument, repositoryPath } from '../../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { codePath } from '../location.ts';

const PAGE_SIZE = 30;
const MAX_NAME = 250;
/** Length limit of a tag's message in characters. */
const MAX_MESSAGE = 500;

/** The tags of a repository. */
export const tagPages: readonly AnyRoute[] = repositoryPage({ path: '/:owner/:repo/tags', needs: [canRead('code')], get: tagsPage });

async function tagsPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository, fields } = visit;
  const { text } = view;
  const page = readPage({ page: Number(fields.get('page')) }, { defaultSize: PAGE_SIZE, maxSize: PAGE_SIZE });
  const keyword = (fields.get('q') ?? '').trim().slice(0, MAX_NAME);
  const { tags, total } = repository.is_empty ? { tags: [], total: 0 } : await listTags(context, repository, { ...page, keyword });
  return repositoryDocument(visit, context, {
    tab: 'code',
    title: text.code.tags,
    feeds: (['atom', 'rss'] as const).map((type) => ({
      type,
      href: repositoryPath(view, repository, `tags.${type}`),
      title: text.code.tags,
    })),
    body: html`<div class="row code-bar"><h2 class="bar-title">${text.code.tags}</h2><a href="${repositoryPath(view, repository, 'branches')}">${text.code.branches}</a>
${(total > 0 || keyword !== '') && html`<form role="search" aria-label="${text.refs.findTag}" class="push search-form"><input type="search" name="q" value="${keyword}" maxlength="${MAX_NAME}" aria-label="${text.refs.findTag}" placeholder="${text.refs.findTag}"></form>`}</div>
${tags.length > 0 ? html`<ul class="rows box">${tags.map((tag) => tagRow(visit, tag))}</ul>` : html`<p class="empty">${keyword === '' ? text.refs.noTags : text.refs.noTagFound}</p>`}
${pageLinks(view, { ...page, total })}`,
  });
}

function tagRow(visit: RepositoryVisit, { name, commit, annotated }: Tag): Html {
  const { view, repository } = visit;
  const { text } = view;
  const archive = (format: string) => {
    const ref = name.split('/').map(encodeURIComponent).join('/');
    return html`<a rel="nofollow" href="${repositoryPath(view, repository, `archive/${ref}.${format}`)}">${icon(view, 'file-zip')} ${format}</a>`;
  };
  const seconds = annotated?.tagger?.seconds ?? commit?.committer.seconds;
  return html`<li><div class="commit-line"><div class="commit-title">${icon(view, 'tag')} <a href="${codePath(view, 'src', { repository, kind: 'tag', name, path: '' })}">${name}</a></div>
<div class="muted">${timeAgo(view, seconds)} ${annotated?.message.trim().slice(0, MAX_MESSAGE)}</div></div>
<span class="push row">${commit && html`<a class="mono" href="${repositoryPath(view, repository, `commit/${commit.oid}`)}" aria-label="${text.code.commit} ${commit.oid.slice(0, 10)}">${commit.oid.slice(0, 10)}</a> ${archive('zip')} ${archive('tar.gz')}`}${actions(visit, name)}</span></li>`;
}

/** The actions of a tag, for users who may use them. */
function actions({ view, access, repository }: RepositoryVisit, name: string): Html | false {
  const { text } = view;
  if (!view.user || repository.is_archived || repository.is_mirror) return false;
  const newRelease = repositoryPath(view, repository, `releases/new?${new URLSearchParams({ tag: name })}`);
  const items = [
    access.canWrite('releases') && html`<a href="${newRelease}">${icon(view, 'tag')} ${text.release.newRelease}</a>`,
    access.canWrite('code') &&
      actionButton(view, {
        action: repositoryPath(view, repository, 'tags/delete'),
        label: text.release.deleteTag,
        fields: { name },
        className: 'danger',
      }),
  ];
  return items.some(Boolean) && menu(icon(view, 'kebab-horizontal', text.release.actionsOf(name)), items);
}
