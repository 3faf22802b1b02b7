import { type Plain, plainAt } from '../plain.ts';

/** The contexts `matrix` and `strategy` of a job. The server sends each job with the only combination that it is for. */
export function matrixOf(definition: Plain): { matrix: Plain; strategy: Plain } {
  const strategy = plainAt(definition, 'strategy');
  const axes = Object.entries(plainAt(strategy, 'matrix')).map(([axis, values]) => [axis, Array.isArray(values) ? values[0] : values]);
  const isFailingFast = String(strategy['fail-fast'] ?? 'true') !== 'false';
  return {
    matrix: Object.fromEntries(axes),
    strategy: { 'fail-fast': isFailingFast, 'job-index': 0, 'job-total': 1, 'max-parallel': strategy['max-parallel'] ?? 1 },
  };
}
