import { signedIn } from '../access/requirements.ts';
import { repositoryRoute } from '../access/routes.ts';
import type { Context } from '../context.ts';
import { readBody } from '../http/bodies/body.ts';
import { html, text } from '../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../http/route.ts';
import { any, string } from '../http/schema.ts';
import { UnrenderableError } from '../markup/errors.ts';
import { renderMarkdownRaw } from '../markup/markup.ts';
import { renderRequest } from '../markup/request.ts';
import { markupContext, type ReadableRepository } from './lookups.ts';
import { MarkdownOption, MarkupOption } from './schema.ts';

interface RenderBody {
  Context?: string;
  FilePath?: string;
  Mode?: string;
  Text?: string;
  Wiki?: boolean;
}

async function render(context: Context, body: RenderBody, readable?: ReadableRepository) {
  const request = {
    text: body.Text ?? '',
    mode: body.Wiki ? 'wiki' : (body.Mode ?? ''),
    context: body.Context ?? '',
    filePath: body.FilePath ?? '',
  };
  try {
    return html(await renderRequest(request, await markupContext(context, readable)));
  } catch (error) {
    if (error instanceof UnrenderableError) return text(`${error.message}\n`, 422);
    throw error;
  }
}

async function renderRaw(context: Context, { raw }: RequestParts) {
  const source = (await readBody(raw, context.settings.markup.maxSize)).toString('utf8');
  return html(await renderMarkdownRaw(source, await markupContext(context)));
}

const common = {
  semaphore: 'renders',
  tag: 'miscellaneous',
  needs: [signedIn],
  produces: ['text/html', 'text/plain'],
  responses: { 200: string(), 422: any() },
} as const;
const inRepository = { ...common, scope: 'repository', hidden: true } as const;
const limit = (context: Context) => context.settings.markup.maxSize;

/** Rendering of texts, alone or as in a repository. */
export const markupRoutes: readonly AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: '/markup',
    id: 'renderMarkup',
    summary: 'Renders a text as HTML',
    body: MarkupOption,
    bodyLimit: limit,
    consumes: ['application/json'],
    handle: ({ body }, context) => render(context, body),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/markdown',
    id: 'renderMarkdown',
    summary: 'Renders a Markdown text as HTML',
    body: MarkdownOption,
    bodyLimit: limit,
    consumes: ['application/json'],
    handle: ({ body }, context) => render(context, body),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/markdown/raw',
    id: 'renderMarkdownRaw',
    summary: 'Renders a Markdown text that is the whole body as HTML',
    body: 'stream',
    bodyParameter: { required: true },
    consumes: ['text/plain'],
    handle: ({ request }, context) => renderRaw(context, request),
  }),
  repositoryRoute({
    ...inRepository,
    method: 'POST',
    path: '/repos/:owner/:repo/markup',
    id: 'repoRenderMarkup',
    summary: 'Renders a text as it would stand in a repository',
    body: MarkupOption,
    bodyLimit: limit,
    handle: ({ body, repository, access }, context) => render(context, body, { repository, access }),
  }),
  repositoryRoute({
    ...inRepository,
    method: 'POST',
    path: '/repos/:owner/:repo/markdown',
    id: 'repoRenderMarkdown',
    summary: 'Renders a Markdown text as it would stand in a repository',
    body: MarkdownOption,
    bodyLimit: limit,
    handle: ({ body, repository, access }, context) => render(context, body, { repository, access }),
  }),
  repositoryRoute({
    ...inRepository,
    method: 'POST',
    path: '/repos/:owner/:repo/markdown/raw',
    id: 'repoRenderMarkdownRaw',
    summary: 'Renders a Markdown text that is the whole body as HTML',
    body: 'stream',
    handle: ({ request }, context) => renderRaw(context, request),
  }),
];
