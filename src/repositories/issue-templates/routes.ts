import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { array, nullable, ref } from '../../http/schema.ts';
import { issueConfig } from './config.ts';
import { IssueConfig, IssueConfigValidation, IssueTemplate } from './schema.ts';
import { issueTemplates } from './templates.ts';

const reading = { scope: 'repository', needs: [canRead('code')] } as const;

/** Issue templates and their configuration. */
export const issueTemplateRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issue_templates',
    id: 'repoGetIssueTemplates',
    summary: 'Lists the issue templates of the default branch',
    ...reading,
    responses: { 200: nullable(array(ref(IssueTemplate))) },
    handle: async ({ repository }, context) => {
      const { templates, broken } = await issueTemplates(context, repository);
      const warning = `error occurs when parsing issue template: count=${broken}`;
      const headers: Record<string, string> = broken > 0 ? { 'x-gitea-warning': warning, 'x-service-warning': warning } : {};
      // Clients expect null where there are none.
      return templates.length > 0
        ? new HttpResponse(templates, { headers })
        : new HttpResponse('null\n', { headers: { ...headers, ...JSON_TYPE }, raw: true });
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issue_config',
    id: 'repoGetIssueConfig',
    summary: 'Gets the configuration for new issues of a repository',
    ...reading,
    responses: { 200: IssueConfig },
    handle: async ({ repository }, context) => (await issueConfig(context, repository)).config,
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/issue_config/validate',
    id: 'repoValidateIssueConfig',
    summary: 'Checks the configuration for new issues of a repository',
    ...reading,
    responses: { 200: IssueConfigValidation },
    handle: async ({ repository }, context) => {
      const { problem } = await issueConfig(context, repository);
      return { valid: problem === '', message: problem };
    },
  }),
];

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
