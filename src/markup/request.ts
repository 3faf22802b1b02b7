import type { MarkupContext, MarkupOrigin, MarkupRequest } from './context.ts';
import { UnrenderableError } from './errors.ts';
import { renderFile, renderMarkdown, renderMarkdownRaw } from './markup.ts';
import { joinPath } from './url.ts';

/**
 * Renders for `/markup` and `/markdown`. `known` gives the instance and, when the route names a repository the caller may read, that
 * repository and its lookups; otherwise the request's context only says where links lead.
 * @throws UnrenderableError for an unknown mode, or a file of a kind that cannot be rendered
 */
export async function renderRequest(request: MarkupRequest, known: Omit<MarkupContext, 'origin' | 'absoluteLinks'>): Promise<string> {
  const { text, mode } = request;
  if (mode === '' || mode === 'markdown') return renderMarkdownRaw(text, known);
  const stated = parseRequestContext(request, new URL(known.rootUrl).pathname);
  const repository = known.repository ?? (stated.owner && stated.name ? { owner: stated.owner, name: stated.name } : undefined);
  const context = (origin: MarkupOrigin): MarkupContext => ({ ...known, repository, absoluteLinks: true, origin });
  const file = { kind: 'file', ref: stated.ref, folder: stated.folder } as const;
  switch (mode) {
    case 'gfm':
      return renderMarkdown(text, context(file));
    case 'comment':
      return renderMarkdown(text, context({ kind: 'comment', footnotes: 'preview' }));
    case 'wiki':
      return renderMarkdown(text, context({ kind: 'wiki' }));
    case 'file': {
      const rendered = await renderFile(text, request.filePath, context({ ...file, path: request.filePath }));
      if (!rendered) throw new UnrenderableError('unable to find a render');
      return rendered.html;
    }
    default:
      throw new UnrenderableError(`unsupported render mode: ${mode}`);
  }
}

interface RequestLocation {
  owner: string;
  name: string;
  /** Like `branch/main`, or empty. */
  ref: string;
  folder: string;
}

/** Reads a request's context. A branch cannot be distinguished from a folder in it, so the file's own folder is removed from its end. */
function parseRequestContext({ context, filePath }: MarkupRequest, rootPath: string): RequestLocation {
  const path = context.startsWith(rootPath) ? context.slice(rootPath.length) : context;
  const [owner = '', name = '', page, kind = '', ...rest] = path.split('/');
  if (page === 'src' && rest.length > 0 && ['branch', 'commit', 'tag'].includes(kind)) {
    const folder = joinPath(filePath.slice(0, Math.max(0, filePath.lastIndexOf('/'))));
    const ref = [kind, ...rest].join('/');
    return { owner, name, folder, ref: folder && ref.endsWith(`/${folder}`) ? ref.slice(0, -folder.length - 1) : ref };
  }
  return page === undefined && name !== '' ? { owner, name, ref: '', folder: '' } : { owner: '', name: '', ref: '', folder: '' };
}
