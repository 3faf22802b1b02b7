import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { notFound, unauthorized } from '../../http/errors.ts';
import { HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { any } from '../../http/schema.ts';
import { isWithin } from '../../text/addresses.ts';
import { checkHealth, checkReadiness } from './checks.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Health and metrics, for operators. */
export const healthRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//api/healthz',
    id: 'getHealth',
    summary: 'Checks the server, its database, git and the disks of its data',
    open: true,
    responses: { 200: any(), 503: any() },
    handle: async (_, context) => {
      const health = await checkHealth(context);
      return new HttpResponse(health, { status: health.status === 'fail' ? 503 : 200 });
    },
  }),
  route({
    method: 'GET',
    path: '//api/livez',
    id: 'getLiveness',
    summary: 'Says that this process serves requests, whatever else is missing; a process that does not is to be restarted',
    open: true,
    responses: { 200: any() },
    handle: async () => ({ status: 'pass' }),
  }),
  route({
    method: 'GET',
    path: '//api/readyz',
    id: 'getReadiness',
    summary: 'Says whether this process takes requests: the database is there, and it is not about to stop',
    open: true,
    responses: { 200: any(), 503: any() },
    handle: async (_, context) => {
      const isReady = await checkReadiness(context);
      return new HttpResponse({ status: isReady ? 'pass' : 'fail' }, { status: isReady ? 200 : 503 });
    },
  }),
  route({
    method: 'GET',
    path: '//metrics',
    id: 'getMetrics',
    summary: 'Gets the counters of the server in the text format of Prometheus',
    open: true,
    responses: { 200: null },
    handle: async ({ request }, context) => {
      if (!context.settings.instance.metricsEnabled) throw notFound();
      checkMetricsReader(request, context);
      return raw(`${context.metrics.format()}\n${await gauges(context)}\n`, 'text/plain; version=0.0.4; charset=utf-8');
    },
  }),
];

/** With a token, who has it; without, who is on this machine. */
function checkMetricsReader({ headers, ip }: RequestParts, { settings }: Context): void {
  const token = settings.instance.metricsToken;
  if (!token) {
    if (!isWithin(ip, LOOPBACK)) throw notFound();
    return;
  }
  const wanted = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(headers.authorization ?? '');
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) throw unauthorized('a metrics token is required');
}

async function gauges({ db }: Context): Promise<string> {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const [users, repositories, jobs, deliveries] = await Promise.all(
    (['users', 'repositories', 'jobs', 'event_deliveries'] as const).map((table) =>
      db
        .selectFrom(table)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  );
  const rows: [string, string, number][] = [
    ['copse_users', 'gauge', users?.count ?? 0],
    ['copse_repositories', 'gauge', repositories?.count ?? 0],
    ['copse_jobs_waiting', 'gauge', jobs?.count ?? 0],
    ['copse_events_waiting', 'gauge', deliveries?.count ?? 0],
    ['process_resident_memory_bytes', 'gauge', rss],
    ['nodejs_heap_used_bytes', 'gauge', heapUsed],
    ['process_cpu_seconds_total', 'counter', (user + system) / 1e6],
    ['process_uptime_seconds', 'gauge', process.uptime()],
  ];
  return rows.map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}`).join('\n');
}
