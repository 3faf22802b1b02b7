import type { Metrics } from '../metrics/metrics.ts';
import { type Statement, statements } from '../tracing/operations.ts';

const KINDS: Readonly<Record<string, string>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

/** Counts and times statements, and publishes them for traces. */
export function countQueries(metrics: Metrics): (kind: string, milliseconds: number, text: string) => void {
  const duration = metrics.histogram('copse_database_query_duration_seconds');
  const counts = new Map<string, number>();
  metrics.addSource(() => [...counts].map(([kind, value]) => ({ name: 'copse_database_queries_total', labels: `kind="${kind}"`, value })));
  return (node, milliseconds, text) => {
    const kind = KINDS[node] ?? 'other';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    duration.observe(milliseconds / 1000);
    if (statements.hasSubscribers) statements.publish({ text, milliseconds } satisfies Statement);
  };
}
