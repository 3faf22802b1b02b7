// On SQLite alone: no database is involved.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginOf } from '../../../src/activity/pulse/period.ts';
import { parseContributions } from '../../../src/git/history/contributions.ts';
import { beginOfWeek, Tally, weekOf } from '../../../src/git/history/tally.ts';

const NOW = Date.UTC(2026, 2, 31) / 1000;
const line = (oid: string, name: string, email: string, seconds: number, stat: string) =>
  `\0${oid}\0${name}\0${email}\0${seconds}\x003 14\0\n${stat}\n`;
const contribution = (email: string, seconds = NOW) => ({
  ...{ oid: 'a', name: `Name of ${email}`, email, seconds, weekday: 1, hour: 2, files: 1, additions: 3, deletions: 2 },
});

describe('contributions', () => {
  it('are read with their lines', () => {
    const output = [
      line('a1', 'Ann', 'a@x', 10, ' 2 files changed, 30 insertions(+), 1 deletion(-)'),
      line('b2', 'Zo\u00eb 1 file changed', 'z@x', 20, ''),
      line('c3', 'C', 'c@x', 30, ' 1 file changed, 1 deletion(-)'),
    ];
    const [first, second, third] = parseContributions(Buffer.from(output.join('')));
    assert.deepEqual(
      { ...first },
      { oid: 'a1', name: 'Ann', email: 'a@x', seconds: 10, weekday: 3, hour: 14, files: 2, additions: 30, deletions: 1 },
    );
    assert.deepEqual([second?.name, second?.files], ['Zo\u00eb 1 file changed', 0]);
    assert.deepEqual([third?.additions, third?.deletions], [0, 1]);
  });

  it('are added up by person and week, and go on', () => {
    const tally = new Tally(undefined, NOW);
    tally.add(contribution('A@x'));
    const more = new Tally(tally.contributions, NOW);
    more.add(contribution('a@X'));
    more.add(contribution('b@x', NOW + 1e12));
    more.add(contribution('b@x', -5));
    const { contributors, hours } = more.contributions;
    assert.deepEqual(contributors[0]?.weeks, [[weekOf(NOW), 2, 6, 4]]);
    assert.deepEqual(
      contributors[1]?.weeks.map(([week]) => week),
      [0, weekOf(NOW)],
    );
    assert.equal(hours[26], 4);
  });

  it('of a history with endless people and weeks stay small', () => {
    const tally = new Tally(undefined, NOW);
    for (let index = 0; index < 2_000; index++) tally.add(contribution(`p${index}@x`));
    for (let index = 0; index < 5_000; index++) tally.add(contribution('p0@x', index * 7 * 24 * 3600));
    const { contributors } = tally.contributions;
    assert.equal(contributors.length, 501);
    assert.equal(contributors.find(({ email }) => email === '')?.weeks[0]?.[1], 1_500);
    assert.equal(contributors[0]?.weeks.length, 2_000);
  });

  it('fall into weeks that begin on Sunday', () => {
    assert.equal(new Date(beginOfWeek(weekOf(NOW)) * 1000).toISOString(), '2026-03-29T00:00:00.000Z');
  });
});

describe('a period', () => {
  it('begins in an earlier month, on its last day where that is shorter', () => {
    const date = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
    assert.equal(date(beginOf('monthly', NOW)), '2026-02-28');
    assert.equal(date(beginOf('yearly', NOW)), '2025-03-31');
    assert.equal(date(beginOf('daily', NOW)), '2026-03-30');
  });
});
