import { type GiteaApi, giteaApi } from '../gitea/client.ts';
import { readIssue } from '../gitea/issues.ts';
import { readPerson } from '../gitea/people.ts';
import { readLabel, readMilestone } from '../gitea/source.ts';
import { Fields, fieldsOf } from '../source/fields.ts';
import { onlyPage } from '../source/lists.ts';
import type { SourceOptions } from '../source/options.ts';
import type { Source, SourceComment, SourceIssue, SourcePage } from '../source/source.ts';

/** A repository on a Gogs server, whose API is an early form of Gitea's: it shows neither releases nor pull requests. */
export async function gogsSource(options: SourceOptions): Promise<Source> {
  const api = await giteaApi(options);
  const all = async (path: string) => fieldsOf((await api.client.get(`${api.path}/${path}`)).json, path);
  return {
    repository: async () => {
      const repository = new Fields((await api.client.get(api.path)).json, 'repository');
      return {
        description: repository.text('description', 2048),
        defaultBranch: repository.text('default_branch', 255),
        clone: options.url,
      };
    },
    milestones: async () => onlyPage((await all('milestones')).map(readMilestone)),
    labels: async () => onlyPage((await all('labels')).map(readLabel)),
    issues: (cursor) => listIssues(api, cursor || 'open:1'),
  };
}

/** The open issues, then the closed ones. The size of a page is unknown, so each list ends with an empty one. */
async function listIssues(api: GiteaApi, cursor: string): Promise<SourcePage<SourceIssue>> {
  const [state = 'open', page = '1'] = cursor.split(':');
  const found = fieldsOf((await api.client.get(`${api.path}/issues`, { state, page })).json, 'issues');
  const items = found.filter((fields) => !fields.has('pull_request')).map((fields) => readGogsIssue(api, fields));
  if (found.length > 0) return { items, next: `${state}:${Number(page) + 1}` };
  return { items, next: state === 'open' ? 'closed:1' : undefined };
}

function readGogsIssue(api: GiteaApi, fields: Fields): SourceIssue {
  const { reactions: _, comments, ...issue } = readIssue(api, fields);
  const readAll = async () =>
    onlyPage(fieldsOf((await api.client.get(`${api.path}/issues/${issue.number}/comments`)).json, 'comments').flatMap(readComment));
  return { ...issue, closedAt: issue.isClosed ? issue.updatedAt : undefined, comments: comments && readAll };
}

function readComment(fields: Fields): SourceComment[] {
  const author = readPerson(fields.object('user'));
  const body = fields.text('body');
  if (body === '') return [];
  return [{ kind: 'comment', author, body, createdAt: fields.time('created_at'), updatedAt: fields.time('updated_at'), assets: [] }];
}
