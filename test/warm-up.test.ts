// On SQLite alone: no database is asked.
import { it } from 'node:test';
import { warmUp } from '../src/warm-up.ts';

it('warming up comes to its end, and a server that stops ends it', async () => {
  const running = new AbortController();
  await warmUp(running.signal);
  await warmUp(AbortSignal.abort());
});
