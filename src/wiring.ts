import type { Provided } from './context.ts';
import type { EventLog } from './events/event-log.ts';
import type { EventType } from './events/events.ts';
import type { Feature, Handler, Job, WithinHandler } from './feature.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { JOB_TYPES, type JobType } from './jobs/jobs.ts';
import type { TaskSchedule } from './jobs/schedule.ts';
import type { TaskName } from './jobs/tasks.ts';

/** What features are wired to. */
export interface Wires {
  readonly events: EventLog;
  readonly jobs: JobQueue;
  readonly schedule: TaskSchedule;
}

/**
 * Subscribes the features to events, registers their jobs and scheduled tasks, and collects what they provide.
 * @throws Error when something is provided by no feature, or by two
 */
export function wire(features: readonly Feature[], wires: Wires): Provided {
  refuseTwice(
    'features are called',
    features.map(({ name }) => name),
  );
  subscribe(features, wires.events);
  assignJobs(features, wires.jobs);
  for (const { schedules = {} } of features) {
    for (const [name, work] of Object.entries(schedules)) wires.schedule.work(name as TaskName, work);
  }
  return collectProvided(features);
}

function subscribe(features: readonly Feature[], events: EventLog): void {
  // By its name a subscriber is found again after a restart: no two features may have the same.
  refuseTwice(
    'features subscribe as',
    features.flatMap(({ on = {} }) => Object.keys(on)),
  );
  for (const { on = {}, within = {} } of features) {
    for (const [subscriber, handlers] of Object.entries(on)) {
      for (const [type, handle] of Object.entries(handlers)) events.on(type as EventType, subscriber, handle as Handler<EventType>);
    }
    for (const [type, handlers] of Object.entries(within)) {
      for (const handle of [handlers].flat()) events.within(type as EventType, handle as WithinHandler<EventType>);
    }
  }
}

function assignJobs(features: readonly Feature[], jobs: JobQueue): void {
  const done = features.flatMap(({ jobs = {} }) => Object.keys(jobs));
  refuseTwice('features do the jobs of the type', done);
  const undone = JOB_TYPES.filter((type) => !done.includes(type));
  if (undone.length > 0) throw new Error(`no feature runs jobs of the type ${undone.join(', ')}`);
  for (const { jobs: own = {}, queues = {} } of features) {
    for (const [type, job] of Object.entries(own)) {
      const { run, ...options } = job as Job<JobType>;
      jobs.work(type as JobType, run, options);
    }
    for (const [name, makeQueue] of Object.entries(queues)) jobs.addQueue(name, makeQueue());
  }
}

function collectProvided(features: readonly Feature[]): Provided {
  const names = features.flatMap(({ provides = {} }) => Object.keys(provides));
  refuseTwice('features provide', names);
  for (const { name, needs = [] } of features) {
    const missing = needs.filter((need) => !names.includes(need));
    if (missing.length > 0) throw new Error(`no feature provides ${missing.join(', ')}, which ${name} needs`);
  }
  const needed: readonly string[] = features.flatMap(({ needs = [] }) => needs);
  const unneeded = names.filter((name) => !needed.includes(name));
  if (unneeded.length > 0) throw new Error(`no feature needs ${unneeded.join(', ')}, which one provides`);
  return Object.assign({}, ...features.map(({ provides }) => provides)) as Provided;
}

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two ${what} ${twice}`);
}
