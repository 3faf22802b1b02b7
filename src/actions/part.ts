import type { Feature } from '../feature.ts';

/** The part of a folder of automation in the feature, such as runs or runners. Each folder has one `part.ts`. */
export type ActionsPart = Omit<Feature, 'name' | 'recover' | 'listen' | 'sshCommands'>;

/** Joins the parts to the feature. Handlers `within` of one event, and tasks of one schedule, run in the order of the parts. */
export function joinParts(parts: readonly ActionsPart[]): ActionsPart {
  return {
    routes: parts.flatMap(({ routes = [] }) => routes),
    on: Object.assign({}, ...parts.map(({ on }) => on)),
    within: joinLists(parts.map(({ within = {} }) => within)) as NonNullable<Feature['within']>,
    jobs: Object.assign({}, ...parts.map(({ jobs }) => jobs)),
    queues: Object.assign({}, ...parts.map(({ queues }) => queues)),
    schedules: joinTasks(parts),
    needs: parts.flatMap(({ needs = [] }) => needs),
    provides: Object.assign({}, ...parts.map(({ provides }) => provides)),
  };
}

function joinLists(objects: readonly object[]): Record<string, unknown[]> {
  const joined: Record<string, unknown[]> = {};
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      const list = joined[key] ?? [];
      list.push(...[value].flat());
      joined[key] = list;
    }
  }
  return joined;
}

function joinTasks(parts: readonly ActionsPart[]): NonNullable<Feature['schedules']> {
  const joined: Record<string, NonNullable<Feature['schedules']>[keyof NonNullable<Feature['schedules']>]> = {};
  for (const { schedules = {} } of parts) {
    for (const [task, work] of Object.entries(schedules)) {
      const earlier = joined[task];
      joined[task] = earlier
        ? async (context, signal) => {
            await earlier(context, signal);
            await work(context, signal);
          }
        : work;
    }
  }
  return joined;
}
