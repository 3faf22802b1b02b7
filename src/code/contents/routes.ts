import type { Repository } from '../../access/find-repository.ts';
import { canRead } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import { badRequest } from '../../http/errors.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, query } from '../../http/route.ts';
import { array, nullable, ref } from '../../http/schema.ts';
import { serializerOf } from '../../http/server/serialization.ts';
import { findRevision } from '../revision.ts';
import { type ContentParts, readContents, readSeveral } from './contents.ts';
import { contentPresenter } from './present.ts';
import { ContentsExtResponse, ContentsResponse, GetFilesOptions } from './schema.ts';

const refQuery = { ref: query.string('the branch, tag or commit; the default branch if left out') };

/** The entries of a folder. */
const Entries = array(ref(ContentsResponse));
/** The requested files, null for each missing one. */
const Files = array(nullable(ref(ContentsResponse)));

/** Reading files and folders. */
export const contentRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/contents',
    id: 'repoGetContentsList',
    summary: 'Lists the entries of the root folder',
    scope: 'repository',
    needs: [canRead('code')],
    query: refQuery,
    responses: { 200: Entries },
    handle: async ({ repository, query }, context) => contentsAt(context, repository, '', query.ref),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/contents/*',
    id: 'repoGetContents',
    summary: 'Gets a file, or lists the entries of a folder',
    scope: 'repository',
    needs: [canRead('code')],
    query: refQuery,
    parameters: { filepath: { description: 'the path of the file or folder' } },
    responses: { 200: ContentsResponse },
    handle: async ({ repository, params, query }, context) => contentsAt(context, repository, params['*'], query.ref),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/contents-ext',
    id: 'repoGetContentsExtList',
    summary: 'Lists the entries of the root folder, with the requested details',
    scope: 'repository',
    hidden: true,
    needs: [canRead('code')],
    query: { ...refQuery, includes: query.string('what to include') },
    responses: { 200: ContentsExtResponse },
    also: [400],
    handle: async ({ repository, query }, context) => extendedContentsAt(context, repository, '', query),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/contents-ext/*',
    id: 'repoGetContentsExt',
    summary: 'Gets a file, or lists the entries of a folder, with the requested details',
    scope: 'repository',
    needs: [canRead('code')],
    query: {
      ...refQuery,
      includes: query.string('what to include, comma separated: file_content, lfs_metadata, commit_metadata, commit_message'),
    },
    parameters: { filepath: { description: 'the path of the file or folder; a dot for the root' } },
    responses: { 200: ContentsExtResponse },
    also: [400],
    handle: async ({ repository, params, query }, context) => extendedContentsAt(context, repository, params['*'], query),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/file-contents',
    id: 'repoGetFileContents',
    summary: 'Gets several files at once',
    scope: 'repository',
    needs: [canRead('code')],
    query: { ...refQuery, body: query.string('the body of the POST request as JSON: {"files": ["a.txt"]}', { required: true }) },
    responses: { 200: Files },
    also: [400],
    handle: async ({ repository, query }, context) => severalAt(context, repository, pathsIn(query.body), query.ref),
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/file-contents',
    id: 'repoGetFileContentsPost',
    summary: 'Gets several files at once',
    scope: 'repository',
    needs: [canRead('code')],
    query: refQuery,
    body: GetFilesOptions,
    bodyParameter: { required: true },
    responses: { 200: Files },
    handle: async ({ repository, body, query }, context) => severalAt(context, repository, body.files, query.ref),
  }),
];

/** A file is returned as an object, a folder as a list. */
async function contentsAt(context: Context, repository: Repository, path: string, given: string | undefined): Promise<HttpResponse> {
  const revision = await findRevision(context, repository, given);
  const found = await readContents(context, repository, revision, path, { content: true, commit: true });
  const present = contentPresenter(context, repository, revision);
  const json = 'file' in found ? serializerOf(ContentsResponse)(present(found.file)) : serializerOf(Entries)(found.folder.map(present));
  return raw(json, 'application/json; charset=utf-8');
}

async function extendedContentsAt(
  context: Context,
  repository: Repository,
  path: string,
  { ref, includes }: { ref?: string; includes?: string },
) {
  const parts = partsOf(includes ?? '');
  const revision = await findRevision(context, repository, ref);
  const found = await readContents(context, repository, revision, path, parts);
  const present = contentPresenter(context, repository, revision);
  return 'file' in found ? { file_contents: present(found.file) } : { dir_contents: found.folder.map(present) };
}

async function severalAt(context: Context, repository: Repository, paths: readonly string[], given: string | undefined) {
  const revision = await findRevision(context, repository, given);
  const present = contentPresenter(context, repository, revision);
  const contents = await readSeveral(context, repository, revision, paths);
  return contents.map((content) => (content ? present(content) : null));
}

const PARTS: Readonly<Record<string, keyof ContentParts>> = {
  file_content: 'content',
  lfs_metadata: 'lfs',
  commit_metadata: 'commit',
  commit_message: 'message',
};

function partsOf(includes: string): ContentParts {
  const parts: ContentParts = {};
  for (const word of includes.split(',')) {
    if (word === '') continue;
    const part = Object.hasOwn(PARTS, word) ? PARTS[word] : undefined;
    if (!part) throw badRequest(`unknown include option ${JSON.stringify(word)}`);
    parts[part] = true;
  }
  return parts;
}

/** The paths in the JSON of the `body` parameter, for callers whose token may only read. */
function pathsIn(text: string | undefined): readonly string[] {
  const invalid = () => badRequest('invalid body parameter');
  let body: unknown;
  try {
    body = JSON.parse(text ?? '');
  } catch {
    throw invalid();
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid();
  const files = 'files' in body ? (body.files ?? []) : [];
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'string')) throw invalid();
  return files;
}
