import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** How a hook of the type `slack` shows itself. */
export interface SlackOptions {
  channel: string;
  username: string;
  icon_url: string;
  color: string;
}

/** URLs that get the events of a repository, of all repositories of an owner, or, with neither, of the instance. */
export interface WebhooksTable {
  id: Generated<number>;
  repository_id: number | null;
  owner_id: number | null;
  /** Of the instance: gets the events of every repository. The others of the instance are copied to new repositories. */
  is_system: Generated<boolean>;
  name: Generated<string>;
  type: string;
  url: string;
  content_type: 'json' | 'form';
  /** Encrypted; empty without one. */
  sealed_secret: Generated<string>;
  /** Encrypted; empty without one. */
  sealed_authorization: Generated<string>;
  slack: Json<SlackOptions | null>;
  /** The names of events, see webhooks/hooks/events.ts. */
  events: Json<string[]>;
  /** Empty for all branches. */
  branch_filter: Generated<string>;
  is_active: Generated<boolean>;
  /** When the next of what waits for it is to be sent; null when nothing waits. */
  due_at: number | null;
  /** When it was last sent something, in milliseconds: who has waited longest comes next. */
  served_at: Generated<number>;
  /** The process that sends for it; null when none does. */
  process_id: number | null;
  /** The size of all that waits for it. */
  waiting_bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The deliveries of hooks. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** The id that the receiver sees; the same with each attempt. */
  uuid: string;
  /** What it is about, see `DeliveredEvent` in webhooks/deliveries/events.ts. */
  event: string;
  /** JSON, as for the type `gitea`. Empty once it is finished and not among the newest, see `is_kept`. */
  payload: string;
  /** What is read from git before it is sent, see webhooks/deliveries/completion.ts; null for nothing. */
  completion: ColumnType<unknown, string | null | undefined, string | null>;
  /** Bytes that it counts for while it waits. */
  size: Generated<number>;
  state: Generated<'waiting' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  due_at: number;
  /** The status of the receiver's response. */
  status: number | null;
  /** The beginning of the receiver's response, or the error. */
  answer: Generated<string>;
  /** Of the response, a line for each. */
  answer_headers: Generated<string>;
  /** It is finished, and still has its payload: it can be sent again. */
  is_kept: Generated<boolean>;
  created_at: number;
  finished_at: number | null;
}

export interface WebhookTables {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

export type Webhook = Selectable<WebhooksTable>;
export type WebhookDelivery = Selectable<WebhookDeliveriesTable>;
