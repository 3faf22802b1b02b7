import type { Mail } from './mail.ts';

const HOUR = 3_600_000;

interface Sent {
  readonly time: number;
  readonly to: string;
  readonly isAccount: boolean;
}

/**
 * Counts the mails of the last hour in this process. A tenth of the limit is kept for mails about accounts, such as links that set a
 * password, and one receiver gets a quarter at most: so nobody keeps others from signing in by what they let the server mail.
 */
export class HourlyLimit {
  readonly #limit: number;
  #sent: Sent[] = [];

  /** @param limit mails in an hour */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a mail. Returns how many seconds it has to wait instead if it may not be sent yet, 0 if it may. */
  take({ to, isAccount = false }: Pick<Mail, 'to' | 'isAccount'>, time = Date.now()): number {
    this.#sent = this.#sent.filter((sent) => sent.time > time - HOUR);
    const others = this.#sent.filter((sent) => !sent.isAccount);
    const received = this.#sent.filter((sent) => sent.to === to);
    const bounds: [readonly Sent[], number][] = [
      [this.#sent, this.#limit],
      [isAccount ? [] : others, this.#limit - Math.ceil(this.#limit / 10)],
      [received, Math.ceil(this.#limit / 4)],
    ];
    // A limit of few mails is too small to be shared out.
    const waits = (this.#limit < 4 ? bounds.slice(0, 1) : bounds).map(([sent, most]) => waitOf(sent, most, time));
    const wait = Math.max(...waits);
    if (wait === 0) this.#sent.push({ time, to, isAccount });
    return wait;
  }
}

/** Seconds until fewer than `most` of these, which are in the order of time, are of the last hour. */
function waitOf(sent: readonly Sent[], most: number, time: number): number {
  const last = sent[sent.length - most];
  if (sent.length < most) return 0;
  return last ? Math.max(1, Math.ceil((last.time + HOUR - time) / 1000)) : HOUR / 1000;
}
