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

/** The deliveries of events that each subscriber has yet to handle. */
export interface EventDeliveriesTable {
  event_id: number;
  subscriber: string;
  /** Events of one partition come in their order, see events/partition.ts. */
  partition: Generated<number>;
  attempts: Generated<number>;
  /** Seconds; not delivered before. */
  due_at: number;
  error: Generated<string>;
}

/** Which partitions' events are being delivered, and by which process; the rows go with the process. */
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
  /** A job with the key of one that waits is not queued again. Null once it is being done. */
  key: string | null;
  /** Its key while it is being done: the next job of that key waits for it. */
  running_key: string | null;
  /** How often it was begun. */
  attempts: Generated<number>;
  due_at: number;
  /** The process that does it; null while it waits. */
  process_id: number | null;
  /** When it was last begun. */
  started_at: number | null;
  /** How far it is, see `Progress` in jobs/jobs.ts. */
  progress: ColumnType<unknown, string | null | undefined, string | null>;
  /** It is to be aborted. */
  is_cancelled: Generated<boolean>;
  error: Generated<string>;
  created_at: number;
}

/** When regular tasks were run. */
export interface CronTasksTable {
  name: string;
  runs: Generated<number>;
  started_at: Generated<number>;
  /** The process that is at it; null when none is. */
  process_id: number | null;
  /** What went wrong the last time. */
  error: Generated<string>;
}

/** What a process is for: it serves, or it runs one command. */
export type ProcessRole = 'server' | 'command';

/** The running processes. What one of them holds has its id; deleting the row releases all of that. */
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
  /** When it last said that it is alive: milliseconds of the database's clock. */
  heartbeat_at: number;
  /** It finishes what it has begun, and takes nothing new. */
  is_draining: Generated<boolean>;
  /** Between its last two heartbeats, see `ProcessLoad` in processes/load.ts; null before the second. */
  load: ColumnType<unknown, string | null | undefined, string | null>;
}

/** The metrics of each process as it wrote them last; they go with the process. */
export interface ProcessMetricsTable {
  process_id: number;
  /** See `Snapshot` in metrics/text.ts. */
  label: string;
  samples: Json<unknown>;
  /** Milliseconds of the database's clock. */
  taken_at: number;
}

/** What a notice is about. */
export type NoticeKind = 'task' | 'job' | 'event' | 'repository' | 'mirror' | 'migration';

/** What went wrong in the background, for administrators. */
export interface NoticesTable {
  id: Generated<number>;
  kind: NoticeKind;
  subject: string;
  text: string;
  /** Of kind, subject and text: the same again is one notice. */
  digest: string;
  count: Generated<number>;
  created_at: number;
  /** When it came last. */
  updated_at: number;
}

/** A notice as it is stored. */
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
