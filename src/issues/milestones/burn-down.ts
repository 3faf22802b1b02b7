import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { MilestoneRow } from '../../database/tables/issues.ts';

/** Seconds. */
const DAY = 86_400;

/** The state of a milestone at the end of a day. */
export interface BurnDownDay {
  /** Its beginning, in seconds since 1970. */
  readonly day: number;
  readonly open: number;
  readonly closed: number;
}

/** The days on which issues of a milestone were opened or closed, in order. */
export async function burnDown({ db }: Context, { id }: Pick<MilestoneRow, 'id'>): Promise<BurnDownDay[]> {
  const countBy = async (column: 'created_at' | 'closed_at') => {
    const day = sql<number>`${sql.ref(column)} / ${sql.lit(DAY)}`;
    return db
      .selectFrom('issues')
      .select([day.as('day'), (select) => select.fn.countAll<number>().as('count')])
      .where('milestone_id', '=', id)
      .$if(column === 'closed_at', (issues) => issues.where('is_closed', '=', true).where('closed_at', 'is not', null))
      .groupBy(day)
      .execute();
  };
  const [opened, closed] = [await countBy('created_at'), await countBy('closed_at')];
  const changes = new Map<number, { opened: number; closed: number }>();
  const at = (day: number) => {
    const change = changes.get(day) ?? { opened: 0, closed: 0 };
    changes.set(day, change);
    return change;
  };
  for (const { day, count } of opened) at(Number(day)).opened += Number(count);
  for (const { day, count } of closed) at(Number(day)).closed += Number(count);
  let all = 0;
  let done = 0;
  return [...changes]
    .toSorted(([a], [b]) => a - b)
    .map(([day, change]) => {
      all += change.opened;
      done += change.closed;
      return { day: day * DAY, open: all - done, closed: done };
    });
}
