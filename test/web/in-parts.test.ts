import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Html } from '../../src/web/html.ts';
import { inParts } from '../../src/web/in-parts.ts';

const PIECE = 'x'.repeat(1000);

it('joins pieces to parts of bounded length', async () => {
  const parts: number[] = [];
  for await (const { text } of inParts(Array.from({ length: 300 }, () => new Html(PIECE)))) parts.push(text.length);
  assert.equal(
    parts.reduce((sum, length) => sum + length, 0),
    300_000,
  );
  assert.ok(parts.length > 2 && parts.length < 10 && Math.max(...parts) < 100_000, String(parts));
});

it('lets others run while it makes many', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  function* slow(): Generator<Html> {
    for (const end = performance.now() + 60; performance.now() < end; ) yield new Html('');
  }
  try {
    for await (const _ of inParts(slow())) assert.fail('nothing was made');
  } finally {
    clearInterval(timer);
  }
  assert.ok(turns >= 3, `${turns} turns`);
});
