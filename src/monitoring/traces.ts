import { AsyncLocalStorage } from 'node:async_hooks';
import type * as Api from '@opentelemetry/api';
import { type GitProcessStarted, gitProcesses } from '../git/processes/observe.ts';
import { type Operation, operations, type Statement, statements } from '../tracing/operations.ts';

const MAX_STATEMENT = 2000;

/** The used parts of OpenTelemetry's packages, which are only loaded for tracing. */
export interface Tracing {
  readonly api: typeof Api;
  readonly tracer: Api.Tracer;
  /** The trace context in headers; an empty one if there is none. */
  readonly extract: (carrier: Readonly<Record<string, unknown>>) => Api.Context;
}

/** Makes spans of operations, statements and git processes. Returns a function that stops it. */
export function recordSpans({ api, tracer, extract }: Tracing): () => void {
  const { ROOT_CONTEXT: root, SpanKind, SpanStatusCode, trace } = api;
  const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;
  const current = new AsyncLocalStorage<object>();
  const spans = new WeakMap<Operation, Api.Span>();
  const surroundings = () => {
    const span = current.getStore() as Api.Span | undefined;
    return span ? trace.setSpan(root, span) : root;
  };
  const parentOf = ({ kind, carrier }: Operation) => {
    if (carrier) return extract(carrier);
    // Work that one request has started may serve others.
    return kind === 'server' || kind === 'consumer' ? root : surroundings();
  };

  const begin = (operation: Operation) => {
    const { name, kind, attributes } = operation;
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parentOf(operation));
    spans.set(operation, span);
    return span;
  };
  const end = (operation: Operation, error?: unknown) => {
    const span = spans.get(operation);
    if (!span) return;
    spans.delete(operation);
    span.updateName(operation.name).setAttributes(operation.attributes);
    // An error's message may contain private data.
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    span.end();
  };
  const subscribers = {
    start: () => {},
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (operation: Operation) => end(operation),
    error: (operation: Operation & { error: unknown }) => end(operation, operation.error),
  };
  const onStatement = (message: unknown) => {
    const { text, milliseconds } = message as Statement;
    const now = Date.now();
    const attributes = { 'db.query.text': text.slice(0, MAX_STATEMENT) };
    tracer.startSpan('statement', { kind: SpanKind.CLIENT, attributes, startTime: now - milliseconds }, surroundings()).end(now);
  };
  const onGitProcess = (message: unknown) => {
    const { command, child } = message as GitProcessStarted;
    const span = tracer.startSpan(`git ${command}`, {}, surroundings());
    child.once('exit', (code) => span.setAttributes({ 'process.pid': child.pid ?? 0, 'process.exit.code': code ?? -1 }).end());
    child.once('error', () => span.end());
  };

  operations.start.bindStore(current, begin);
  operations.subscribe(subscribers);
  statements.subscribe(onStatement);
  gitProcesses.subscribe(onGitProcess);
  return () => {
    operations.start.unbindStore(current);
    operations.unsubscribe(subscribers);
    statements.unsubscribe(onStatement);
    gitProcesses.unsubscribe(onGitProcess);
  };
}
