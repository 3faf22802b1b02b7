import type { Notifications } from '../database/notifications.ts';
import type { Logger } from '../log.ts';

/** Reasons for processes to wake each other; `stop` is for this process alone: it stops, so waits must end. */
export type Topic = 'jobs' | 'events' | 'webhooks' | 'purges' | 'tasks' | 'moves' | 'stop';

/** Means every subject: the changes are unknown, or too many. */
export const ANYTHING = '*';

/** How a message with subjects begins, and how many of them one has at most, which PostgreSQL takes. */
const TOLD = 'told:';
const MAX_SUBJECTS = 200;

/** How long wake-ups are gathered before they are sent to other processes, in milliseconds. */
const GATHER_MS = 10;

/**
 * Wakes the waiters for work: in this process at once, in others within some milliseconds by PostgreSQL's `notify`. A wake-up may be lost,
 * so waiters also poll.
 */
export class WakeUps {
  readonly #listeners = new Map<Topic, Set<() => void>>();
  readonly #gathered = new Set<Topic>();
  readonly #audience = new Set<(subject: string) => void>();
  readonly #told = new Set<string>();
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
        wakeUps.#hear([ANYTHING]);
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
    this.#gathered.add(topic);
    this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  }

  /** Calls `listener` with each changed subject, in any process. Returns a function that ends that. */
  onTold(listener: (subject: string) => void): () => void {
    this.#audience.add(listener);
    return () => this.#audience.delete(listener);
  }

  /** Tells all processes that subjects have changed, which are short words. Called after the commit; it may be lost. */
  tell(subjects: readonly string[]): void {
    this.#hear(subjects);
    if (!this.#notifications) return;
    for (const subject of subjects) this.#told.add(subject);
    if (this.#told.size > 0) this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  }

  /** Sends the gathered wake-ups, and stops. */
  async close(): Promise<void> {
    this.#send();
    await this.#sending;
    await this.#notifications?.close();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages: string[] = [...this.#gathered];
    this.#gathered.clear();
    if (this.#told.size > 0) messages.push(TOLD + (this.#told.size > MAX_SUBJECTS ? ANYTHING : [...this.#told].join(',')));
    this.#told.clear();
    const notifications = this.#notifications;
    if (messages.length > 0 && notifications) this.#sending = this.#sending.then(() => notifications.notify(messages));
  }

  #receive(message: string): void {
    if (message.startsWith(TOLD)) this.#hear(message.slice(TOLD.length).split(','));
    else this.#call(message as Topic);
  }

  #hear(subjects: readonly string[]): void {
    for (const subject of subjects) for (const listener of this.#audience) listener(subject);
  }

  #call(topic: Topic): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }
}
