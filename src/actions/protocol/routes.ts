import { type Context, callerKey } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { readBody } from '../../http/bodies/body.ts';
import { HttpError } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { authenticateRunner } from '../runners/authenticate.ts';
import { type Bounds, boundedMessage } from './bounds.ts';
import { errorResponse, procedureError } from './errors.ts';

/** How a procedure is called. */
interface Procedure {
  readonly bounds: Bounds;
  /** The allowed caller; a runner that reports on a job is busy. */
  readonly caller: 'anybody' | 'runner' | 'busy runner';
}

const KILOBYTE = 1024;
const small = { bytes: 64 * KILOBYTE, parts: 1000 };
/** Size of a request in bytes that need not be counted. */
const SMALL = 64 * KILOBYTE;

/** The procedures by their names in URLs. */
const PROCEDURES: Readonly<Record<string, Procedure>> = {
  'ping.v1.PingService/Ping': { caller: 'anybody', bounds: small },
  'runner.v1.RunnerService/Register': { caller: 'anybody', bounds: small },
  'runner.v1.RunnerService/Declare': { caller: 'runner', bounds: small },
  'runner.v1.RunnerService/FetchTask': { caller: 'runner', bounds: small },
  // Outputs can have a megabyte each, and lines of a log 64 kilobytes.
  'runner.v1.RunnerService/UpdateTask': {
    caller: 'busy runner',
    bounds: { bytes: 32 * KILOBYTE * KILOBYTE, parts: 10_000, first: 512 * KILOBYTE },
  },
  'runner.v1.RunnerService/UpdateLog': { caller: 'busy runner', bounds: { bytes: 32 * KILOBYTE * KILOBYTE, parts: 100_000 } },
};

/** The procedures for runners, below `/api/actions`, with the Connect protocol over HTTP. */
export const protocolRoutes: readonly AnyRoute[] = Object.entries(PROCEDURES).map(([name, procedure]) => {
  const [service = '', method = ''] = name.replace(/^\w+\.v1\./, '').split('/');
  return route({
    method: 'POST',
    path: `//api/actions/${name}`,
    id: `rpc${service}${method}`,
    summary: `Is called by runners: ${method}`,
    open: true,
    hidden: true,
    when: ({ actions }) => actions.enabled,
    body: 'stream',
    responses: { 200: null },
    handle: ({ request }, context) => respond(name, procedure, request, context),
  });
});

async function respond(name: string, { caller, bounds }: Procedure, request: RequestParts, context: Context): Promise<HttpResponse> {
  const { headers, raw, signal } = request;
  let release = () => {};
  try {
    const runner = caller === 'anybody' ? undefined : await runnerOf(context, request, caller === 'busy runner');
    release = await holdBody(request, context, bounds);
    const format = { encoding: String(headers['content-encoding'] ?? ''), type: headers['content-type'] ?? '' };
    const message = await boundedMessage(await readBody(raw, bounds.bytes), format, bounds);
    const call = { httpVersion: raw.httpVersion, url: request.url, method: request.method, header: headersOf(request), signal };
    const { callProcedure } = await import('./router.ts');
    const response = await callProcedure(name, { context, runner }, { ...call, body: once(message) });
    const parts = response.body === undefined ? [] : await Array.fromAsync(response.body);
    return new HttpResponse(Buffer.concat(parts), {
      status: response.status,
      headers: Object.fromEntries(response.header ?? []),
      raw: true,
    });
  } catch (error) {
    // A body that is too large is refused as everywhere.
    if (error instanceof HttpError) throw error;
    return errorResponse(procedureError(context, error));
  } finally {
    release();
  }
}

async function runnerOf(context: Context, { headers }: RequestParts, isWork: boolean): Promise<ActionRunner> {
  const text = (name: string) => headers[name]?.toString() ?? '';
  return await authenticateRunner(context, { uuid: text('x-runner-uuid'), token: text('x-runner-token'), isWork });
}

/** Waits until there is memory for a large request. */
async function holdBody({ headers, signal }: RequestParts, context: Context, { bytes }: Bounds): Promise<() => void> {
  const isPlain = 'content-length' in headers && !('content-encoding' in headers);
  const weight = isPlain ? Math.min(bytes, Number(headers['content-length'])) : bytes;
  if (!(weight > SMALL)) return () => {};
  return await context.semaphores.bodies.acquire(callerKey(context), { weight, signal });
}

/** The headers without the compression of the message. */
function headersOf({ headers }: RequestParts): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'content-encoding' || value === undefined) continue;
    for (const one of [value].flat()) copy.append(name, one);
  }
  return copy;
}

async function* once(message: Buffer): AsyncGenerator<Uint8Array> {
  yield message;
}
