// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allRoutes } from '../src/features.ts';
import { WARMED_UP, warmUp } from '../src/warm-up.ts';

it('what is warmed up is there, and a server that stops ends it', async () => {
  const shapes = WARMED_UP.map((id) => allRoutes.find((route) => route.id === id)?.responses[200]);
  assert.deepEqual(
    WARMED_UP.filter((_, index) => !shapes[index]),
    [],
  );
  const running = new AbortController();
  await warmUp(running.signal);
  await warmUp(AbortSignal.abort());
});
