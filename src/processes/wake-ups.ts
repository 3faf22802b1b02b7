import type { Notifications } from '../database/notifications.ts';
import type { Logger } from '../log.ts';

/** Reasons for processes to wake each other; `stop` is for this process alone: it stops, so waits must end. */
export type Topic = 'jobs' | 'events' | 'webhooks' | 'purges' | 'tasks' | 'moves' | 'stop';

/** Means every subject: the changes are unknown, or too many. */
export const ANYTHING = '*';

/** The beginning of a message with subjects, and how many of them it may have: PostgreSQL takes 8,000 bytes. */
const SUBJECTS = 'subjects:';
const MAX_SUBJECTS = 200;

/** Milliseconds in which wake-ups are collected before they are sent to other processes together. */
const BATCH_MS = 10;

/**
 * Wakes the waiters for work: in this process at once, in others within some milliseconds by PostgreSQL's `notify`. A wake-up may be lost,
 * so waiters also poll.
 */
export class WakeUps {
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #topics = new Set<Topic>();
  readonly #followers = new Set<(subject: string) => void>();
  readonly #changed = new Set<string>();
  #notifications: Notifications | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  /** Wake-ups between the processes on one PostgreSQL. */
  static async onPostgres(options: { url: string; connectTimeout?: number; log: Logger }): Promise<WakeUps> {
    const wakeUps = new WakeUps();
    const { Notifications } = await import('../database/notifications.ts');
    wakeUps.#notifications = new Notifications({
      ...options,
      onMessage: (message) => wakeUps.#receive(message),
      onConnected: () => {
        wakeUps.#callFollowers([ANYTHING]);
        for (const topic of wakeUps.#listeners.keys()) wakeUps.#call(topic);
      },
    });
    return wakeUps;
  }

  /** Calls `listener` with each wake-up. Returns a function that ends that. */
  on(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Wakes the waiters in all processes. Called after the commit that created the work. */
  wake(topic: Topic): void {
    this.#call(topic);
    this.wakeOthers(topic);
  }

  /** Wakes the waiters in this process only. */
  wakeHere(topic: Topic): void {
    this.#call(topic);
  }

  /** Wakes the waiters in other processes only. */
  wakeOthers(topic: Topic): void {
    if (!this.#notifications) return;
    this.#topics.add(topic);
    this.#timer ??= setTimeout(() => this.#send(), BATCH_MS).unref();
  }

  /** Calls `listener` with each changed subject, in any process. Returns a function that ends that. */
  onNotify(listener: (subject: string) => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  /** Notifies all processes of changed subjects, which are short words. Called after the commit; it may be lost. */
  notify(subjects: readonly string[]): void {
    this.#callFollowers(subjects);
    if (!this.#notifications) return;
    for (const subject of subjects) this.#changed.add(subject);
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#send(), BATCH_MS).unref();
  }

  /** Sends the collected wake-ups, and stops. */
  async close(): Promise<void> {
    this.#send();
    await this.#sending;
    await this.#notifications?.close();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages: string[] = [...this.#topics];
    this.#topics.clear();
    if (this.#changed.size > 0) messages.push(SUBJECTS + (this.#changed.size > MAX_SUBJECTS ? ANYTHING : [...this.#changed].join(',')));
    this.#changed.clear();
    const notifications = this.#notifications;
    if (messages.length > 0 && notifications) this.#sending = this.#sending.then(() => notifications.notify(messages));
  }

  #receive(message: string): void {
    if (message.startsWith(SUBJECTS)) this.#callFollowers(message.slice(SUBJECTS.length).split(','));
    else this.#call(message as Topic);
  }

  #callFollowers(subjects: readonly string[]): void {
    for (const subject of subjects) for (const listener of this.#followers) listener(subject);
  }

  #call(topic: Topic): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}
