import { anyRead, repositoryAdmin, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { pageHeaders, pageOf } from '../../http/paging.ts';
import { empty, HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array, map, ref, wireTime } from '../../http/schema.ts';
import { RepoTopicOptions, TopicName, TopicResponse } from './schema.ts';
import { addTopic, removeTopic, searchTopics, setTopics } from './topics.ts';

/** Topics. */
export const topicRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/topics',
    id: 'repoListTopics',
    summary: 'Lists the topics of a repository',
    scope: 'repository',
    needs: [anyRead],
    query: pageQuery,
    responses: { 200: TopicName },
    handle: async ({ repository: { topics }, query }, context) => {
      const { offset, limit } = pageOf(context, query);
      return new HttpResponse({ topics: topics.slice(offset, offset + limit) }, { headers: pageHeaders(topics.length) });
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/topics',
    id: 'repoUpdateTopics',
    summary: 'Replaces the topics of a repository',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    body: RepoTopicOptions,
    responses: { 204: null },
    handle: async ({ repository, body }, context) => {
      await setTopics(context, repository, body.topics ?? []);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/topics/:topic',
    id: 'repoAddTopic',
    summary: 'Adds a topic to a repository',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await addTopic(context, repository, params.topic);
      return empty(204);
    },
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/topics/:topic',
    id: 'repoDeleteTopic',
    summary: 'Removes a topic from a repository',
    scope: 'repository',
    needs: [signedIn, repositoryAdmin],
    responses: { 204: null },
    handle: async ({ repository, params }, context) => {
      await removeTopic(context, repository, params.topic);
      return empty(204);
    },
  }),
  route({
    method: 'GET',
    path: '/topics/search',
    semaphore: 'searches',
    id: 'topicSearch',
    summary: 'Searches topics by name',
    scope: 'repository',
    query: { q: query.string('a part of the name', { required: true }), ...pageQuery },
    responses: { 200: map(array(ref(TopicResponse))) },
    handle: async ({ query }, context) => {
      const { topics, total } = await searchTopics(context, query.q ?? '', pageOf(context, query));
      const shapes = topics.map((topic) => ({
        id: topic.id,
        topic_name: topic.name,
        repo_count: topic.repos_count,
        created: wireTime(topic.created_at),
        updated: wireTime(topic.updated_at),
      }));
      return new HttpResponse({ topics: shapes }, { headers: pageHeaders(total) });
    },
  }),
];
