import { type ConnectRouter, type ContextKey, createContextKey, createContextValues } from '@connectrpc/connect';
import { type Context, callerKey } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import { readBody } from '../../http/body.ts';
import { HttpError } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { authenticateRunner } from '../runners/authenticate.ts';
import { type Bounds, boundedMessage } from './bounds.ts';
import { connectError, errorResponse } from './errors.ts';

type Handler = ConnectRouter['handlers'][number];

/** How a procedure is called. */
export interface Procedure {
  readonly bounds: Bounds;
  /** Who calls it is a runner, which the handler finds under `runnerKey`; one that reports on a job is busy. */
  readonly caller: 'anybody' | 'runner' | 'busy runner';
}

/** Bytes of a request that is so small that nobody counts it. */
const SMALL = 64 * 1024;

/** Where the handlers of a router find the context of their request. */
export const contextKey: ContextKey<Context | undefined> = createContextKey<Context | undefined>(undefined);
/** Where the handlers of a router find the runner that calls. */
export const runnerKey: ContextKey<ActionRunner | undefined> = createContextKey<ActionRunner | undefined>(undefined);

/** The procedures of a router as routes below `/api/actions`, by the Connect protocol over HTTP. */
export function connectRoutes({ handlers }: ConnectRouter, procedures: Readonly<Record<string, Procedure>>): readonly AnyRoute[] {
  return handlers.map((handler) => {
    const procedure = procedures[handler.method.name];
    if (!procedure) throw new Error(`nothing says how ${handler.requestPath} is called`);
    return route({
      method: 'POST',
      path: `//api/actions${handler.requestPath}`,
      id: `rpc${handler.service.name}${handler.method.name}`,
      summary: `Is called by runners: ${handler.method.name}`,
      open: true,
      hidden: true,
      when: ({ actions }) => actions.enabled,
      body: 'stream',
      responses: { 200: null },
      handle: ({ request }, context) => respond(handler, procedure, request, context),
    });
  });
}

async function respond(handler: Handler, { caller, bounds }: Procedure, request: RequestParts, context: Context): Promise<HttpResponse> {
  const { headers, raw, signal } = request;
  const values = createContextValues().set(contextKey, context);
  let release = () => {};
  try {
    if (caller !== 'anybody') values.set(runnerKey, await runnerOf(context, request, caller === 'busy runner'));
    release = await holdBody(request, context, bounds);
    const format = { encoding: String(headers['content-encoding'] ?? ''), type: headers['content-type'] ?? '' };
    const message = await boundedMessage(await readBody(raw, bounds.bytes), format, bounds);
    const header = headersOf(request);
    const call = { httpVersion: raw.httpVersion, url: request.url, method: request.method, header, signal, contextValues: values };
    const response = await handler({ ...call, body: once(message) });
    const parts = response.body === undefined ? [] : await Array.fromAsync(response.body);
    return new HttpResponse(Buffer.concat(parts), {
      status: response.status,
      headers: Object.fromEntries(response.header ?? []),
      raw: true,
    });
  } catch (error) {
    // A body that is too large is refused as everywhere.
    if (error instanceof HttpError) throw error;
    return errorResponse(connectError(context, error));
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

/** The headers without what the message was compressed by. */
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
