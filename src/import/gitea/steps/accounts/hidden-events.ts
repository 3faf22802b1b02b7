import type { TimelineKind } from '../../../../database/tables/issues.ts';
import { EVENT_GROUPS, storedGroups } from '../../../../issues/timeline/event-groups.ts';
import type { Row } from '../../source/row.ts';
import type { Source } from '../../source/source.ts';
import { KINDS } from '../issues/comments.ts';

const KEY = 'issue.hidden_comment_types';

/** Hidden timeline events by user id: in Gitea a decimal number with a bit for each kind, in a setting of the account. */
export async function hiddenEventsOf(users: readonly Row[], source: Source): Promise<Map<number, string>> {
  const ids = users.map(({ id }) => id);
  const settings = await source.rowsWith('user_setting', 'user_id', ids);
  return new Map(
    settings
      .filter((row) => row.text('setting_key') === KEY)
      .map((row) => [row.integer('user_id'), groupsOf(row.text('setting_value'))] as const),
  );
}

function groupsOf(value: string): string {
  if (!/^\d{1,40}$/.test(value)) return '';
  const bits = BigInt(value);
  const isHidden = (kind: TimelineKind) => ((bits >> BigInt(KINDS.indexOf(kind))) & 1n) === 1n;
  return storedGroups((name) => EVENT_GROUPS[name].some(isHidden));
}
