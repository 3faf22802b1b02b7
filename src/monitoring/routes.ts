import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { notFound, unauthorized } from '../http/errors.ts';
import { raw } from '../http/responses.ts';
import { type AnyRoute, query, type RequestParts, route } from '../http/route.ts';
import { formatMetrics } from '../metrics/text.ts';
import { isWithin } from '../text/ip-addresses.ts';
import { InstanceNumbers } from './instance.ts';
import { otherSnapshots, ownSnapshot } from './snapshots.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const numbers = new WeakMap<Context['processes'], InstanceNumbers>();

/** Metrics, for operators. */
export const metricsRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//metrics',
    id: 'getMetrics',
    summary: 'Gets the numbers of this process and of the instance in the text format of Prometheus',
    open: true,
    query: { all: query.boolean('the numbers of all processes, each with its label') },
    responses: { 200: null },
    handle: async ({ request, query }, context) => {
      if (!context.settings.instance.metricsEnabled) throw notFound();
      checkMetricsReader(request, context);
      const others = query.all ? await otherSnapshots(context) : [];
      const instance = { label: '', samples: await numbersOf(context).samples(context) };
      const text = formatMetrics([ownSnapshot(context), ...others, instance]);
      return raw(text, 'text/plain; version=0.0.4; charset=utf-8');
    },
  }),
];

function numbersOf({ processes }: Context): InstanceNumbers {
  const known = numbers.get(processes) ?? new InstanceNumbers();
  numbers.set(processes, known);
  return known;
}

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
