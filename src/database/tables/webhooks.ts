import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** The appearance of messages of a hook of the type `slack`. */
export interface SlackOptions {
  channel: string;
  username: string;
  icon_url: string;
  color: string;
}

/** URLs that receive the events of a repository, of all repositories of an owner, or, with neither, of the instance. */
export interface WebhooksTable {
  id: Generated<number>;
  repository_id: number | null;
  owner_id: number | null;
  /** Of the instance: receives the events of every repository. Other hooks of the instance are copied to new repositories. */
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
  /** When the next delivery is due; null when nothing waits. */
  due_at: number | null;
  /** The last delivery, in milliseconds: the hook that has waited longest is next. */
  served_at: Generated<number>;
  /** The process that sends its deliveries; null when none does. */
  process_id: number | null;
  /** The size of all waiting deliveries. */
  waiting_bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The deliveries of hooks. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  /** The id that the receiver sees; the same for each attempt. */
  uuid: string;
  /** The event, see `DeliveredEvent` in webhooks/deliveries/events.ts. */
  event: string;
  /** JSON, in the format of the type `gitea`. Empty once the delivery is finished and not among the newest, see `is_kept`. */
  payload: string;
  /** What has to be read from git before sending, see webhooks/deliveries/completion.ts; null for nothing. */
  completion: ColumnType<unknown, string | null | undefined, string | null>;
  /** The bytes that it counts for while it waits. */
  size: Generated<number>;
  state: Generated<'waiting' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  due_at: number;
  /** The status of the receiver's response. */
  status: number | null;
  /** The beginning of the receiver's response, or the error. */
  answer: Generated<string>;
  /** The headers of the response, one on each line. */
  answer_headers: Generated<string>;
  /** It is finished and still has its payload: it can be sent again. */
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
