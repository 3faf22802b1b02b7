// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTimestamp } from '../../src/http/timestamp.ts';

const FORM = '"2006-01-02T15:04:05Z07:00"';

describe('a time', () => {
  it('is read in whole seconds, in any zone', () => {
    for (const [text, iso] of [
      ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05Z'],
      ['2020-01-02T03:04:05.9Z', '2020-01-02T03:04:05Z'],
      ['2020-01-02T03:04:05,123456789+01:30', '2020-01-02T01:34:05Z'],
      ['2020-01-02T3:04:05-24:60', '2020-01-03T04:04:05Z'],
      ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00Z'],
      ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59Z'],
    ] as const)
      assert.equal(parseTimestamp(text), Date.parse(iso) / 1000, text);
  });

  it('is refused with the place that is wrong', () => {
    for (const [text, message] of [
      ['x', ` as ${FORM}: cannot parse "x" as "2006"`],
      ['2020', ` as ${FORM}: cannot parse "" as "-"`],
      ['2020-1-01', ` as ${FORM}: cannot parse "1-01" as "01"`],
      ['2020-01-01', ` as ${FORM}: cannot parse "" as "T"`],
      ['2020-01-01T00:00Z', ` as ${FORM}: cannot parse "Z" as ":"`],
      ['2020-01-01T00:00:00z', ` as ${FORM}: cannot parse "z" as "Z07:00"`],
      ['2020-01-01T00:00:00.Z', ` as ${FORM}: cannot parse ".Z" as "Z07:00"`],
      ['2020-01-01T00:00:00ZZ', ': extra text: "Z"'],
      ['2020-13-01T00:00:00Z', ': month out of range'],
      ['2021-02-29T00:00:00Z', ': day out of range'],
      ['2020-01-00T00:00:00Z', ': day out of range'],
      ['2020-01-01T24:00:00Z', ': hour out of range'],
      ['2020-01-01T00:60:00Z', ': minute out of range'],
      ['2020-01-01T00:00:60Z', ': second out of range'],
      ['2020-01-01T00:00:00+25:00', ': time zone offset hour out of range'],
      ['2020-01-01T00:00:00+00:61', ': time zone offset minute out of range'],
    ] as const)
      assert.throws(() => parseTimestamp(text), { name: 'TimestampError', message: `parsing time "${text}"${message}` });
  });

  it('is quoted in what is printable', () => {
    const text = '"\\\n\u00fc';
    assert.throws(() => parseTimestamp(text), { message: /^parsing time "\\"\\\\\\x0a\\xc3\\xbc" as / });
  });
});
