import type { ColumnType, Generated, Selectable } from 'kysely';

/** A JSON column: text when written (`JSON.stringify`), a value when read. */
export type Json<T> = ColumnType<T, string, string>;

/** Events, written in the transaction of the change and delivered afterwards. */
export interface EventsTable {
  id: Generated<number>;
  /** The event's name, see events/events.ts. */
  type: string;
  payload: Json<unknown>;
  created_at: number;
}

/** Events that each subscriber has yet to handle. */
export interface EventDeliveriesTable {
  event_id: number;
  subscriber: string;
  /** Events of one partition are delivered in order, see events/partition.ts. */
  partition: Generated<number>;
  attempts: Generated<number>;
  /** In seconds; not delivered before. */
  due_at: number;
  error: Generated<string>;
}

/** The partitions whose events are being delivered, and the process of each; rows are deleted with the process. */
export interface EventLeasesTable {
  partition: number;
  process_id: number;
}

/** Durable background work. */
export interface JobsTable {
  id: Generated<number>;
  type: string;
  /** See jobs/queues.ts. */
  queue: Generated<string>;
  payload: Json<unknown>;
  /** A job with the same key as a waiting one is not enqueued again. Null once it runs. */
  key: string | null;
  /** Its key while it runs: the next job with that key waits for it. */
  running_key: string | null;
  /** How often it was started. */
  attempts: Generated<number>;
  due_at: number;
  /** The process that runs it; null while it waits. */
  process_id: number | null;
  /** When it was last started. */
  started_at: number | null;
  /** The progress, see `Progress` in jobs/jobs.ts. */
  progress: ColumnType<unknown, string | null | undefined, string | null>;
  /** Somebody has cancelled it. */
  is_cancelled: Generated<boolean>;
  error: Generated<string>;
  created_at: number;
}

/** When scheduled tasks ran. */
export interface CronTasksTable {
  name: string;
  runs: Generated<number>;
  started_at: Generated<number>;
  /** The process that runs it; null when none does. */
  process_id: number | null;
  /** The last failure. */
  error: Generated<string>;
}

/** The role of a process: it serves, or it runs one command. */
export type ProcessRole = 'server' | 'command';

/** The running processes. What a process holds refers to its id; deleting the row releases all of it. */
export interface ProcessesTable {
  id: Generated<number>;
  role: ProcessRole;
  host: string;
  pid: number;
  /** The program's version. */
  version: string;
  /** The last migration that its program knows; null where the program does not say so. */
  schema: string | null;
  started_at: number;
  /** The last heartbeat, in milliseconds of the database's clock. */
  heartbeat_at: number;
  /** It completes what it has begun, and starts nothing new. */
  is_draining: Generated<boolean>;
  /** The load between the last two heartbeats, see `ProcessLoad` in processes/load.ts; null before the second. */
  load: ColumnType<unknown, string | null | undefined, string | null>;
}

/** The metrics that each process wrote last; rows are deleted with the process. */
export interface ProcessMetricsTable {
  process_id: number;
  /** See `Snapshot` in metrics/text.ts. */
  label: string;
  samples: Json<unknown>;
  /** Milliseconds of the database's clock. */
  taken_at: number;
}

/** The kinds of notices. */
export type NoticeKind = 'task' | 'job' | 'event' | 'repository' | 'mirror' | 'migration';

/** Failures in the background, for administrators. */
export interface NoticesTable {
  id: Generated<number>;
  kind: NoticeKind;
  subject: string;
  text: string;
  /** Of kind, subject and text: a repetition is the same notice. */
  digest: string;
  count: Generated<number>;
  created_at: number;
  /** The last occurrence. */
  updated_at: number;
}

/** A notice as stored. */
export type Notice = Selectable<NoticesTable>;

export interface PlatformTables {
  process_metrics: ProcessMetricsTable;
  processes: ProcessesTable;
  events: EventsTable;
  event_deliveries: EventDeliveriesTable;
  event_leases: EventLeasesTable;
  jobs: JobsTable;
  cron_tasks: CronTasksTable;
  notices: NoticesTable;
}
