import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { METRICS } from '../../src/metrics/names.ts';
import { writeSnapshot } from '../../src/monitoring/snapshots.ts';
import { ProcessRegistry } from '../../src/processes/registry.ts';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer({ instance: { metricsToken: 'secret-token' } });
const prometheus = new Client(() => t.url, { authorization: 'Bearer secret-token' });
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true });
await alice.must('GET', '/repos/alice/code/contents');
assert.equal((await alice.get('/repos/alice/code/archive/main.zip')).status, 200);
await t.context.jobs.add(t.context, 'archives.expire', {}, { key: 'now' });
await t.settled();

const text = (await prometheus.get('//metrics')).text;
const number = (pattern: string, from = text) => Number(new RegExp(`^${pattern} (\\S+)$`, 'm').exec(from)?.[1]);

describe('the metrics', () => {
  it('count requests by the pattern of the route, never by path', () => {
    assert.equal(number('copse_requests_total\\{process="[^"]+",route="/api/v1/user/repos",method="POST",status="2xx"\\}'), 1);
    assert.equal(
      number('copse_request_duration_seconds_count\\{process="[^"]+",route="/api/v1/repos/:owner/:repo/contents",method="GET"\\}'),
      1,
    );
    assert.ok(!text.includes('alice'));
  });

  it('have the database, git, queues, storage, the runtime and the process', () => {
    assert.ok(number('copse_database_queries_total\\{process="[^"]+",kind="select"\\}') > 0);
    assert.ok(number('copse_database_transactions_total\\{process="[^"]+",result="committed"\\}') > 0);
    assert.ok(/^copse_git_processes_started_total\{process="[^"]+",command="[a-z-]+"\} \d+$/m.test(text));
    assert.ok(/^copse_jobs_total\{process="[^"]+",type="[a-z.-]+",result="done"\} \d+$/m.test(text));
    assert.ok(number('copse_event_loop_delay_seconds\\{process="[^"]+",quantile="0.99"\\}') >= 0);
    assert.equal(number('copse_requests_in_flight\\{process="[^"]+"\\}'), 1);
    assert.equal(number('copse_process_info\\{process="[^"]+",version="[^"]+",role="server"\\}'), 1);
  });

  it('have numbers of the instance without the label of a process', () => {
    assert.equal(number('copse_users'), 2);
    assert.equal(number('copse_repositories'), 1);
    assert.equal(number('copse_processes\\{role="server"\\}'), 1);
    assert.equal(number('copse_events_waiting'), 0);
  });

  it('are well-formed: one type for each name, its lines together, every name declared', () => {
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    assert.equal(new Set(types.map(([, name]) => name)).size, types.length);
    let current = '';
    for (const line of text.trim().split('\n')) {
      const [, started] = /^# TYPE (\S+)/.exec(line) ?? [];
      if (started) current = started;
      else if (!line.startsWith('#')) assert.ok(line.replace(/[{ ].*/s, '').replace(/_(?:bucket|sum|count)$/, '') === current, line);
    }
    for (const [, name = ''] of types) assert.ok(name in METRICS, name);
  });

  it('are refused without the token', async () => {
    assert.equal((await t.anonymous.get('//metrics')).status, 401);
    assert.equal((await t.anonymous.get('//metrics', { headers: { authorization: 'Bearer other' } })).status, 401);
  });

  it('show all processes on request, each with its label, and the instance once', async () => {
    const { database, log, metrics, settings } = t.server.services;
    const other = await ProcessRegistry.open(database, { role: 'server', version: '9.9.9', log });
    await writeSnapshot({ ...t.server.services, processes: other, metrics, settings });
    await database.db.updateTable('process_metrics').set({ label: 'process="elsewhere:7"' }).where('process_id', '=', other.id).execute();
    const all = (await prometheus.get('//metrics?all=true')).text;
    assert.ok(number('copse_database_queries_total\\{process="elsewhere:7",kind="select"\\}', all) > 0);
    assert.equal([...all.matchAll(/^copse_users /gm)].length, 1);
    assert.equal([...all.matchAll(/^# TYPE copse_database_queries_total /gm)].length, 1);
    assert.ok(!(await prometheus.get('//metrics')).text.includes('elsewhere'));
    await other.close();
    assert.ok(!(await prometheus.get('//metrics?all=true')).text.includes('elsewhere'));
  });
});

describe('the dashboard and the alerts', () => {
  const OPS = join(import.meta.dirname, '..', '..', 'ops');
  const namesIn = (expression: string) => [...expression.matchAll(/\b(?:copse|process|nodejs)_\w+/g)].map(([name]) => name);
  const known = (name: string) => name in METRICS || name.replace(/_(?:bucket|sum|count)$/, '') in METRICS;

  it('use metrics and labels that exist', () => {
    const dashboard = JSON.parse(readFileSync(join(OPS, 'grafana', 'copse.json'), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const rules = parse(readFileSync(join(OPS, 'alerts', 'copse.yml'), 'utf8')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    const expressions = [
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...rules.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ];
    assert.ok(expressions.length > 25);
    const labels = new Set(['process', 'job', 'instance', ...[...text.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label)]);
    for (const expression of expressions) {
      for (const name of namesIn(expression)) assert.ok(known(name), `${name} in ${expression}`);
      for (const [, group = ''] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of group.split(/,\s*/))
          assert.ok(
            labels.has(label) || ['backend', 'direction', 'folder', 'name', 'operation', 'queue', 'state', 'type'].includes(label),
            `${label} in ${expression}`,
          );
      }
    }
  });

  it('find what a scrape has, other than what has not happened yet', async () => {
    await t.server.services.storage.put('avatars/x', new Uint8Array(3));
    const scraped = (await prometheus.get('//metrics')).text;
    const missing = Object.keys(METRICS).filter((name) => !new RegExp(`^# TYPE ${name} `, 'm').test(scraped));
    const UNCOMMON = [
      'copse_action_jobs',
      'copse_backup_last_bytes',
      'copse_backup_last_duration_seconds',
      'copse_backup_last_success_timestamp_seconds',
      'copse_database_connections',
      'copse_database_retries_total',
      'copse_disk_free_bytes',
      'copse_failed_sign_ins_total',
      'copse_jobs_failing',
      'copse_jobs_oldest_seconds',
      'copse_jobs_running',
      'copse_jobs_waiting',
      'copse_package_upstream_requests_total',
      'copse_packages_published_total',
      'copse_replica_requests_total',
      'copse_ssh_connections',
      'copse_ssh_connections_total',
      'copse_tasks_failed',
      'nodejs_gc_duration_seconds',
      'process_open_fds',
    ];
    assert.deepEqual(
      missing.filter((name) => !UNCOMMON.includes(name)),
      [],
    );
  });
});
