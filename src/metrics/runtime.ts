import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';
import type { Sample } from './text.ts';

const WINDOW_MS = 10_000;
const GC_KINDS: Readonly<Record<number, string>> = { 1: 'minor', 4: 'major', 8: 'incremental', 16: 'weak' };
const QUANTILES = { '0.5': 50, '0.99': 99, '1': 100 } as const;

/** Measures the runtime: event loop, memory, processor, garbage collection, open handles. Returns a function that stops it. */
export function measureRuntime(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let window: Sample[] = [];
  const close = () => {
    window = Object.entries(QUANTILES).map(([quantile, percentile]) => ({
      name: 'copse_event_loop_delay_seconds',
      labels: `quantile="${quantile}"`,
      value: delay.count === 0 ? 0 : delay.percentile(percentile) / 1e9,
    }));
    delay.reset();
  };
  const timer = setInterval(close, WINDOW_MS).unref();
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as { duration: number; detail?: { kind?: number } }[]) {
      const kind = GC_KINDS[detail?.kind ?? 0] ?? 'other';
      metrics.histogram('nodejs_gc_duration_seconds', `kind="${kind}"`).observe(duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const remove = metrics.addSource(() => {
    if (window.length === 0) close();
    return [...window, ...ofProcess()];
  });
  return () => {
    clearInterval(timer);
    delay.disable();
    observer.disconnect();
    remove();
  };
}

function ofProcess(): Sample[] {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const resources = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) resources.set(type, (resources.get(type) ?? 0) + 1);
  const descriptors = openDescriptors();
  return [
    { name: 'copse_event_loop_utilization', labels: '', value: performance.eventLoopUtilization().utilization },
    { name: 'process_resident_memory_bytes', labels: '', value: rss },
    { name: 'process_cpu_seconds_total', labels: '', value: (user + system) / 1e6 },
    { name: 'process_uptime_seconds', labels: '', value: process.uptime() },
    { name: 'nodejs_heap_size_bytes', labels: '', value: heapTotal },
    { name: 'nodejs_heap_used_bytes', labels: '', value: heapUsed },
    { name: 'nodejs_external_memory_bytes', labels: '', value: external },
    ...(descriptors === undefined ? [] : [{ name: 'process_open_fds' as const, labels: '', value: descriptors }]),
    ...[...resources].map(([type, value]) => ({ name: 'nodejs_active_resources' as const, labels: `type="${type}"`, value })),
  ];
}

/** Undefined if the system does not report it. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
