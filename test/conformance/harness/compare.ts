import type { RecordedStep } from './session.ts';

const SHOWN_LENGTH = 160;

/** Differences of a value from the expected one, a line each. Further keys of an object are fine; arrays compare in order. */
export function differences(expected: unknown, actual: unknown, path = 'body'): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: expected an array, got ${show(actual)}`];
    const length = expected.length === actual.length ? [] : [`${path}: expected ${expected.length} items, got ${actual.length}`];
    const common = expected.slice(0, actual.length);
    return [...length, ...common.flatMap((item, index) => differences(item, actual[index], `${path}[${index}]`))];
  }
  if (expected !== null && typeof expected === 'object') {
    if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return [`${path}: expected an object, got ${show(actual)}`];
    const values = actual as Record<string, unknown>;
    return Object.entries(expected).flatMap(([key, value]) =>
      key in values ? differences(value, values[key], `${path}.${key}`) : [`${path}.${key}: missing (expected ${show(value)})`],
    );
  }
  return expected === actual || expected === undefined ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`];
}

/** Differences of a step from its record: of the status, else of the body, and of the headers; none where it is exact. */
export function compareStep(expected: RecordedStep, actual: RecordedStep | undefined): string[] {
  if (!actual || actual.label !== expected.label) return ['the scenario ended before this step'];
  const wanted = { ...expected, ...expected.override };
  const headers = Object.entries(wanted.headers ?? {}).flatMap(([name, value]) => {
    const got = actual.headers?.[name];
    return got === value ? [] : [`header ${name}: expected ${show(value)}, got ${show(got)}`];
  });
  if (wanted.status !== actual.status) return [`status: expected ${wanted.status}, got ${actual.status} ${show(actual.body)}`, ...headers];
  return [...differences(wanted.body, actual.body), ...headers];
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
