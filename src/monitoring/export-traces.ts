import { hostname } from 'node:os';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings.ts';
import { recordSpans } from './traces.ts';

/** Limit of spans waiting to be sent; more are dropped, so that an unreachable collector costs little memory. */
const MAX_WAITING = 4096;
const EXPORT_TIMEOUT_MS = 10_000;
/** How long an end waits for the last spans to be sent. */
const END_MS = 2000;

/** Sends traces to the collector of the settings. Returns a function that stops it once all have been sent. */
export async function exportTraces(
  settings: Settings['tracing'],
  endpoint: string,
  version: string,
  log: Logger,
): Promise<() => Promise<void>> {
  const [api, sdk, { W3CTraceContextPropagator }, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const warn = (message: string) => log.warn({ detail: message.slice(0, 500) }, 'traces could not be sent');
  api.diag.setLogger({ error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }, { suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: endpoint,
    headers: headersOf(settings.headers ?? ''),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.sampled / 100) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize: MAX_WAITING, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const propagator = new W3CTraceContextPropagator();
  const stop = recordSpans({
    api,
    tracer: provider.getTracer('copse', version),
    extract: (carrier) => propagator.extract(api.ROOT_CONTEXT, carrier, api.defaultTextMapGetter),
  });
  return async () => {
    stop();
    const patience = new Promise<void>((resolve) => setTimeout(resolve, END_MS).unref());
    await Promise.race([provider.shutdown().catch((error: unknown) => warn(String(error))), patience]);
  };
}

/** `name=value` pairs, separated by commas, as `OTEL_EXPORTER_OTLP_HEADERS` has them. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s, 2).map((part) => part.trim()));
  return Object.fromEntries(pairs.filter(([name, value]) => name && value));
}
