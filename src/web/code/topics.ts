import { notArchived, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { setTopics } from '../../repositories/topics/topics.ts';
import { field, postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { seeOther } from '../page.ts';
import { repositoryPath } from '../repository/frame.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';

/** Length limit of all topics that a form sends in characters. */
const MAX_LENGTH = 1500;

/** Replaces the topics of a repository. */
export const topicPages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/topics',
  needs: [signedIn, repositoryAdmin, notArchived],
  post: async (visit, context) => {
    const { repository, view, fields } = visit;
    const topics = (fields.get('topics') ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    await setTopics(context, repository, topics);
    return seeOther(context, repositoryPath(view, repository).slice(view.root.length));
  },
});

/** The topics as a field, for who may change them. */
export function topicForm({ view, repository, access }: RepositoryVisit): Html | false {
  if (!access.isAdmin || view.user === null || repository.is_archived) return false;
  const { code, common } = view.text;
  const body = html`${field({ name: 'topics', label: code.topics, value: repository.topics.join(' '), maxLength: MAX_LENGTH, hint: code.topicsHint })}<button>${common.save}</button>`;
  return html`<details class="topic-form"><summary>${code.editTopics}</summary>${postForm(view, body, { action: repositoryPath(view, repository, 'topics') })}</details>`;
}
