import type { Repository } from '../../access/find-repository.ts';
import { canRead, editable, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import type { Context } from '../../context.ts';
import type { FileChange } from '../../git/edit/file-change.ts';
import { unprocessable } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Shape } from '../../http/schema.ts';
import { presentVerification } from '../commits/present.ts';
import { decodeBase64 } from './base64.ts';
import { type MadeCommit, requireTarget } from './branch-commit.ts';
import { changeContents, patchContents } from './change.ts';
import {
  ApplyDiffPatchFileOptions,
  type ChangeFileOperation,
  ChangeFilesOptions,
  CreateFileOptions,
  DeleteFileOptions,
  UpdateFileOptions,
} from './change-schema.ts';
import { readSeveral } from './contents.ts';
import { contentPresenter, presentFileCommit } from './present.ts';
import { FileDeleteResponse, FileResponse, FilesResponse } from './schema.ts';

const PATH = '/repos/:owner/:repo/contents';
const FILE = { filepath: { description: 'the path of the file' } };
const OPERATIONS: readonly string[] = ['create', 'update', 'upload', 'rename', 'delete'];

const common = {
  scope: 'repository',
  needs: [canRead('code'), editable, signedIn],
  bodyLimit: ({ settings }: Context) => settings.limits.contentsBody,
  bodyParameter: { required: true },
} as const;

/** Changing files without a clone. */
export const contentChangeRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'POST',
    path: PATH,
    id: 'repoChangeFiles',
    summary: 'Changes several files with one commit',
    body: ChangeFilesOptions,
    responses: { 201: FilesResponse },
    also: [409],
    handle: async ({ repository, access, body }, context) => {
      if (!body.files) throw unprocessable('[Files]: Required');
      await requireTarget(context, repository, access, body);
      const files: FileChange[] = [];
      for (const file of body.files) files.push(await toChange(file));
      const made = await changeContents(context, repository, access, body, files);
      const shown = await presentFiles(context, repository, made, files);
      return { files: shown.length === 0 ? null : shown, ...(await presentMade(context, repository, made)) };
    },
  }),
  repositoryRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/*`,
    id: 'repoCreateFile',
    summary: 'Creates a file',
    parameters: FILE,
    body: CreateFileOptions,
    responses: { 201: FileResponse },
    also: [409],
    handle: async ({ repository, access, params, body }, context) => {
      await requireTarget(context, repository, access, body);
      const files: FileChange[] = [{ operation: 'create', path: params['*'], content: await decodeBase64(body.content ?? '') }];
      const made = await changeContents(context, repository, access, body, files);
      return presentFile(context, repository, made, files);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'PUT',
    path: `${PATH}/*`,
    id: 'repoUpdateFile',
    summary: 'Changes a file, or creates it where no `sha` is given',
    parameters: FILE,
    body: UpdateFileOptions,
    responses: { 200: FileResponse, 201: FileResponse },
    also: [409],
    handle: async ({ repository, access, params, body }, context) => {
      await requireTarget(context, repository, access, body);
      const { sha, from_path: fromPath } = body;
      const content = await decodeBase64(body.content ?? '');
      const files: FileChange[] = sha
        ? [{ operation: 'update', path: params['*'], content, sha, ...(fromPath && { fromPath }) }]
        : [{ operation: 'create', path: params['*'], content, ...(fromPath && { fromPath }) }];
      const made = await changeContents(context, repository, access, body, files);
      return new HttpResponse(await presentFile(context, repository, made, files), { status: sha ? 200 : 201 });
    },
  }),
  repositoryRoute({
    ...common,
    method: 'DELETE',
    path: `${PATH}/*`,
    id: 'repoDeleteFile',
    summary: 'Removes a file',
    parameters: FILE,
    body: DeleteFileOptions,
    responses: { 200: FileDeleteResponse },
    also: [409],
    handle: async ({ repository, access, params, body }, context) => {
      const files: FileChange[] = [{ operation: 'delete', path: params['*'], sha: body.sha }];
      const made = await changeContents(context, repository, access, body, files);
      return { content: null, ...(await presentMade(context, repository, made)) };
    },
  }),
  repositoryRoute({
    ...common,
    needs: [editable, signedIn],
    method: 'POST',
    path: '/repos/:owner/:repo/diffpatch',
    id: 'repoApplyDiffPatch',
    summary: 'Applies a patch to a branch with one commit',
    body: ApplyDiffPatchFileOptions,
    responses: { 201: FileResponse },
    also: [409],
    handle: async ({ repository, access, body }, context) => {
      const made = await patchContents(context, repository, access, body, body.content ?? '');
      return { content: null, ...(await presentMade(context, repository, made)) };
    },
  }),
];

async function toChange(file: Shape<typeof ChangeFileOperation>): Promise<FileChange> {
  const { operation, path, sha, from_path: fromPath } = file;
  const content = await decodeBase64(file.content ?? '');
  if (!isOperation(operation)) {
    throw unprocessable(`invalid file operation: ${operation} ${path}, supported operations are create, update, delete`);
  }
  const writes = operation === 'create' || operation === 'update' || operation === 'upload';
  return {
    operation,
    path,
    ...(writes && { content }),
    ...(sha && { sha }),
    ...(fromPath && { fromPath }),
  };
}

function isOperation(operation: string): operation is FileChange['operation'] {
  return OPERATIONS.includes(operation);
}

async function presentFile(context: Context, repository: Repository, made: MadeCommit, files: readonly FileChange[]) {
  const [content = null] = await presentFiles(context, repository, made, files);
  return { content, ...(await presentMade(context, repository, made)) };
}

/** The files of the commit; null for deleted ones. */
async function presentFiles(context: Context, repository: Repository, { branch, commit }: MadeCommit, files: readonly FileChange[]) {
  const revision = { kind: 'branch', name: branch, commit } as const;
  const paths = files.map(({ path }) => path);
  const contents = await readSeveral(context, repository, revision, paths);
  const present = contentPresenter(context, repository, revision);
  return contents.map((content) => (content ? present(content) : null));
}

async function presentMade(context: Context, repository: Repository, { commit }: MadeCommit) {
  return { commit: presentFileCommit(context, repository, commit), verification: await presentVerification(context, commit) };
}
