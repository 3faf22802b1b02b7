import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes, also on a machine that has much else to do. */
const PATIENCE_MS = 60_000;

/** Resolves when something has come about that nobody tells of. */
export async function eventually(isSo: () => boolean | Promise<boolean>, what = 'it'): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isSo()); await sleep(5))
    assert.ok(performance.now() < end, `${what} did not come about`);
}
