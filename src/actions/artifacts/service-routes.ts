import type { Context } from '../../context.ts';
import { readBody } from '../../http/bodies/body.ts';
import { receiveBytes } from '../../http/bodies/upload.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { findArtifact, isAvailable } from './artifacts.ts';
import { callingTask, runningTask } from './caller.ts';
import { serveArtifact } from './download.ts';
import { ArtifactError, refusingAsText } from './errors.ts';
import { messageResponse, readMessage } from './messages.ts';
import { storeOrder, storePart } from './parts.ts';
import { type Procedure, procedures } from './service.ts';
import { readSignedUrl, SERVICE } from './signed-url.ts';

/** Size limit of a list of blocks in bytes. */
const MAX_LIST = 2 * 1024 * 1024;

const common = { open: true, hidden: true, when: ({ actions }: Context['settings']) => actions.enabled, responses: { 200: null } } as const;

/** The artifact service for the steps of jobs, and its signed URLs: version 4 of the protocol. */
export const serviceRoutes: readonly AnyRoute[] = [
  ...Object.entries(procedures).map(([name, procedure]) =>
    route({
      ...common,
      method: 'POST',
      path: `/${SERVICE}/${name}`,
      id: `rpcArtifactService${name}`,
      summary: `Is called by steps of jobs: ${name}`,
      body: 'stream',
      handle: ({ request }, context) => refusingAsText(() => call(context, request, procedure)),
    }),
  ),
  route({
    ...common,
    method: 'PUT',
    path: `/${SERVICE}/UploadArtifact`,
    id: 'rpcArtifactServiceUploadArtifact',
    summary: 'Takes bytes of an artifact',
    body: 'stream',
    semaphore: 'uploads',
    handle: ({ request }, context) => refusingAsText(() => upload(context, request)),
  }),
  route({
    ...common,
    method: 'GET',
    path: `/${SERVICE}/DownloadArtifact`,
    id: 'rpcArtifactServiceDownloadArtifact',
    summary: 'Serves an artifact',
    semaphore: 'downloads',
    handle: ({ request }, context) =>
      refusingAsText(async () => {
        const { artifact } = await artifactOf(context, request, 'DownloadArtifact');
        if (!isAvailable(artifact)) throw new ArtifactError(404, 'Error artifact not found');
        return await serveArtifact(context, request, artifact);
      }),
  }),
];

async function call(context: Context, request: RequestParts, procedure: Procedure): Promise<HttpResponse> {
  const caller = await callingTask(context, request);
  const message = await readMessage(request);
  if (message.text('workflowRunBackendId') !== String(caller.runId)) throw new ArtifactError(400, 'run-id does not match');
  return messageResponse(await procedure(context, caller, message));
}

/** The artifact of a signed URL, while the task that got the URL runs. */
async function artifactOf(context: Context, { url }: RequestParts, operation: 'UploadArtifact' | 'DownloadArtifact') {
  const { name, taskId, artifactId } = readSignedUrl(context, operation, url);
  const running = await runningTask(context, taskId);
  if (!running) throw new ArtifactError(401, 'Error runner api getting task: task is not running');
  const artifact = await findArtifact(context, artifactId);
  if (artifact?.run_id !== running.runId || artifact.name !== name) throw new ArtifactError(404, 'Error artifact not found');
  return { artifact, upload: { artifactId, taskId } };
}

async function upload(context: Context, request: RequestParts): Promise<HttpResponse> {
  const { upload } = await artifactOf(context, request, 'UploadArtifact');
  const query = new URL(request.url).searchParams;
  const operation = query.get('comp')?.toLowerCase();
  if (operation === 'blocklist') {
    await storeOrder(context, upload, blocksIn((await readBody(request.raw, MAX_LIST)).toString('utf8')));
    return created('created');
  }
  if (operation !== 'block' && operation !== 'appendblock') throw new ArtifactError(400, 'comp has to be block, appendBlock or blocklist');
  const maxSize = context.settings.actions.artifactMaxSize;
  await receiveBytes(request.raw, { maxSize }, ({ content }) =>
    storePart(context, upload, { block: query.get('blockid') || undefined }, content),
  );
  return created('appended');
}

/** The names of blocks in their order. They are base64, so nothing in them is escaped. */
function blocksIn(xml: string): string[] {
  return [...xml.matchAll(/<(?:Latest|Uncommitted|Committed)>([^<]*)</g)].map(([, name = '']) => name.trim());
}

function created(word: string): HttpResponse {
  return new HttpResponse(`${JSON.stringify(word)}\n`, {
    status: 201,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    raw: true,
  });
}
