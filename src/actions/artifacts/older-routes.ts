import type { Context } from '../../context.ts';
import { readBody } from '../../http/bodies/body.ts';
import { receiveBytes } from '../../http/bodies/upload.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { isRecord } from '../tasks/json.ts';
import { findArtifact, isAvailable } from './artifacts.ts';
import { callingTask, type TaskOfRun } from './caller.ts';
import { serveFile } from './download.ts';
import { ArtifactError, refusingAsText } from './errors.ts';
import { type Chunk, completeFiles, confirmFiles, fileOf, GZIP, hashOfName, storeChunk } from './older-files.ts';

const BASE = 'api/actions_pipeline/_apis/pipelines/workflows';
const MAX_MESSAGE = 64 * 1024;
const SUCCESS = { message: 'success' };

const common = { open: true, hidden: true, when: ({ actions }: Context['settings']) => actions.enabled, responses: { 200: null } } as const;

interface Call {
  readonly caller: TaskOfRun;
  readonly request: RequestParts;
  readonly query: URLSearchParams;
  /** The hash of an artifact's name, or its id. */
  readonly artifact: string;
}

/** The service of artifacts for older clients, `upload-artifact@v3` and `download-artifact@v3`: version 3 of their protocol. */
export const olderRoutes: readonly AnyRoute[] = [
  older('POST', '', 'Begins an artifact', async (context, call) => json(await begin(context, call))),
  older('GET', '', 'Lists artifacts', async (context, call) => json(await list(context, call))),
  older('PATCH', '', 'Ends an artifact', async (context, { caller, query }) => {
    const name = query.get('artifactName') ?? '';
    if (name === '') throw new ArtifactError(400, 'Error artifact name is empty');
    await confirmFiles(context, caller, name);
    return json(SUCCESS);
  }),
  older('PUT', '/:artifact_id/upload', 'Takes a chunk of a file', upload),
  older('GET', '/:artifact_id/download_url', 'Lists the files of an artifact', async (context, call) => json(await files(context, call))),
  older('GET', '/:artifact_id/download', 'Serves a file', async (context, { caller, request, artifact }) => {
    const file = /^\d{1,15}$/.test(artifact) ? await findArtifact(context, Number(artifact)) : undefined;
    if (file?.run_id !== caller.runId || file.encoding.includes('/') || !isAvailable(file))
      throw new ArtifactError(404, 'Error artifact not found');
    return await serveFile(context, request, file);
  }),
];

function older(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  summary: string,
  handle: (context: Context, call: Call) => Promise<HttpResponse>,
): AnyRoute {
  const words = path.replace(/^\/:artifact_id\//, '').replace('_url', 'Urls');
  return route({
    ...common,
    method,
    path: `//${BASE}/:run/artifacts${path}`,
    id: `olderArtifacts${method}${words}`,
    summary,
    ...(method === 'GET' ? {} : { body: 'stream' as const }),
    ...(method === 'PUT' && { semaphore: 'uploads' as const }),
    ...(path === '/:artifact_id/download' && { semaphore: 'downloads' as const }),
    handle: ({ request, params }: { request: RequestParts; params: Readonly<Record<string, string>> }, context: Context) =>
      refusingAsText(async () => {
        const caller = await callingTask(context, request);
        if (params.run !== String(caller.runId)) throw new ArtifactError(400, 'run-id does not match');
        const query = new URL(request.url).searchParams;
        return await handle(context, { caller, request, query, artifact: params.artifact_id ?? '' });
      }),
  });
}

function json(body: object): HttpResponse {
  const headers = { 'content-type': 'application/json;charset=utf-8' };
  return new HttpResponse(`${JSON.stringify(body)}\n`, { status: 200, headers, raw: true });
}

function urlOf({ settings }: Context, { runId }: TaskOfRun, rest: string): string {
  return `${settings.server.rootUrl}${BASE}/${runId}/artifacts/${rest}`;
}

async function begin(context: Context, { caller, request }: Call): Promise<object> {
  const message = parsed((await readBody(request.raw, MAX_MESSAGE)).toString('utf8'));
  if (!isRecord(message)) throw new ArtifactError(400, 'Error decode request body');
  const { Name: name, RetentionDays: days } = message;
  const rest = typeof days === 'number' && days > 0 ? `?retentionDays=${Math.floor(days)}` : '';
  return { fileContainerResourceUrl: urlOf(context, caller, `${hashOfName(String(name ?? ''))}/upload${rest}`) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function upload(context: Context, { caller, request, query, artifact }: Call): Promise<HttpResponse> {
  const file = fileOf(query.get('itemPath') ?? '', artifact);
  const header = (name: string) => request.headers[name]?.toString() ?? '';
  const retention = query.get('retentionDays');
  if (retention !== null && !/^\d{1,6}$/.test(retention)) throw new ArtifactError(400, 'Error parse retention days');
  const chunk: Omit<Chunk, 'content'> = {
    start: startOf(header('content-range')),
    md5: header('x-actions-results-md5') || undefined,
    fileSize: Number(/^\d{1,15}$/.exec(header('x-tfs-filelength'))?.[0] ?? 0) || Number(header('content-length')) || 0,
    encoding: header('content-encoding') === GZIP ? GZIP : '',
    retentionDays: retention === null ? undefined : Number(retention),
  };
  const maxSize = context.settings.actions.artifactMaxSize;
  await receiveBytes(request.raw, { maxSize }, ({ content }) => storeChunk(context, caller, file, { ...chunk, content }));
  return json(SUCCESS);
}

/** The first byte of `bytes 0-1023/4096`; a chunk without a range is the whole file. */
function startOf(range: string): number {
  const start = range === '' ? '0' : /^bytes (\d{1,15})-\d{1,15}\/\d{1,15}$/.exec(range)?.[1];
  if (start === undefined) throw new ArtifactError(400, 'Error save upload chunk: parse content range error');
  return Number(start);
}

async function list(context: Context, { caller }: Call): Promise<object> {
  const names = [...new Set((await completeFiles(context, caller.runId)).map(({ name }) => name))];
  if (names.length === 0) throw new ArtifactError(404, '');
  const value = names.map((name) => ({ name, fileContainerResourceUrl: urlOf(context, caller, `${hashOfName(name)}/download_url`) }));
  return { count: value.length, value };
}

async function files(context: Context, { caller, query, artifact }: Call): Promise<object> {
  const { name } = fileOf(query.get('itemPath') ?? '', artifact);
  const found = await completeFiles(context, caller.runId, name);
  if (found.length === 0) throw new ArtifactError(404, '');
  const value = found.map(({ id, path }) => ({
    path: `${name}/${path}`,
    itemType: 'file',
    contentLocation: urlOf(context, caller, `${id}/download`),
  }));
  return { value };
}
