import { Metrics } from '../src/metrics/metrics.ts';
import { RequestMetrics } from '../src/metrics/requests.ts';
import { formatMetrics } from '../src/metrics/text.ts';
import { countQueries } from '../src/monitoring/queries.ts';

/** `node bench/metrics.ts`: what the metrics cost a request with ten statements, and a scrape with 500 routes, in microseconds. */
const REQUESTS = 200_000;
const metrics = new Metrics();
const requests = new RequestMetrics(metrics);
const query = countQueries(metrics);
const routes = Array.from({ length: 500 }, (_, at) => `/api/v1/repos/:owner/:repo/part${at}`);

function serve(at: number): void {
  requests.begin();
  for (let statement = 0; statement < 10; statement++) query('SelectQueryNode', 0.3, '');
  metrics.count('copse_database_transactions_total', 'result="committed"');
  requests.count(routes[at % routes.length], 'GET', 200, 3);
  requests.end();
}

for (let at = 0; at < REQUESTS; at++) serve(at);
const began = process.cpuUsage();
for (let at = 0; at < REQUESTS; at++) serve(at);
const { user, system } = process.cpuUsage(began);
console.log(`a request: ${((user + system) / REQUESTS).toFixed(2)} µs`);
const before = process.cpuUsage();
const bytes = formatMetrics([{ label: 'process="host:1"', samples: metrics.snapshot() }]).length;
const scrape = process.cpuUsage(before);
console.log(`a scrape of ${bytes} bytes: ${scrape.user + scrape.system} µs`);
