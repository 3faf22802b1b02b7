import type { FailedSignIn } from '../accounts/provided.ts';
import { now } from '../clock.ts';
import type { Services } from '../context.ts';
import type { Listening } from '../feature.ts';
import { addressKey } from '../text/ip-addresses.ts';
import type { AuditObject } from './actions.ts';
import { type Deed, deedColumns, type Origin, originColumns } from './entries.ts';
import { logEntry } from './log.ts';

/** Number of addresses per minute and process that get separate entries; all further ones share one. */
const MAX_ADDRESSES = 100;
const FLUSH_MS = 10_000;
/** For addresses beyond {@link MAX_ADDRESSES}. */
const OTHERS = '*';

/** Failures that are counted, and not yet written. */
interface Counted {
  readonly failed: FailedSignIn;
  readonly minute: number;
  count: number;
}

/** Of one process: by bucket, that is by minute and network of the client. */
class FailedSignIns {
  readonly #buckets = new Map<string, Counted>();
  #minute = 0;
  #known = new Set<string>();

  /** Whether it is the first of its bucket, which is written at once. */
  add(failed: FailedSignIn, minute: number): { bucket: string; isFirst: boolean } {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#known = new Set();
    }
    const own = `${minute} ${addressKey(failed.address)}`;
    const bucket = this.#known.has(own) || this.#known.size < MAX_ADDRESSES ? own : `${minute} ${OTHERS}`;
    if (!this.#known.has(bucket)) {
      this.#known.add(bucket);
      return { bucket, isFirst: true };
    }
    const counted = this.#buckets.get(bucket);
    if (counted) counted.count++;
    else this.#buckets.set(bucket, { failed, minute, count: 1 });
    return { bucket, isFirst: false };
  }

  /** The entries to write; counting restarts. */
  take(): [string, Counted][] {
    const all = [...this.#buckets];
    this.#buckets.clear();
    return all;
  }
}

const byProcess = new WeakMap<Services['processes'], FailedSignIns>();

/**
 * Records a sign-in that failed. The failures of one minute from one network are one entry with a count, and the networks of a minute are
 * bounded: so an attacker can fill neither the disk nor the list.
 */
export async function recordFailedSignIn(services: Services, failed: FailedSignIn): Promise<void> {
  const minute = Math.floor(now() / 60);
  const { bucket, isFirst } = failedSignInsOf(services).add(failed, minute);
  if (isFirst) await write(services, bucket, { failed, minute, count: 1 });
}

function failedSignInsOf({ processes }: Services): FailedSignIns {
  const known = byProcess.get(processes) ?? new FailedSignIns();
  byProcess.set(processes, known);
  return known;
}

/** Writes the counts now and then, and at the end. */
export async function flushFailedSignIns(services: Services): Promise<Listening> {
  let writing: Promise<unknown> = Promise.resolve();
  const flush = () => {
    const counts = failedSignInsOf(services).take();
    writing = writing.then(async () => {
      for (const [bucket, counted] of counts) await write(services, bucket, counted);
    });
    return writing;
  };
  const timer = setInterval(flush, FLUSH_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** A sign-in is refused with or without its entry: a failure to write it is logged. */
async function write(services: Services, bucket: string, { failed, count }: Counted): Promise<void> {
  const isShared = bucket.endsWith(OTHERS);
  const { db } = services.database;
  const origin: Origin = {
    actor: null,
    signIn: { method: failed.method, basic: false, token: null },
    address: isShared ? '' : failed.address,
    userAgent: isShared ? '' : failed.userAgent,
    requestId: isShared ? '' : failed.requestId,
  };
  const deed: Deed = { action: 'sign-in.failed', object: objectOf(failed, isShared), details: {} };
  try {
    await db
      .insertInto('audit_entries')
      .values({ ...originColumns(services, origin), ...deedColumns(deed), created_at: now(), bucket, count })
      .onConflict((conflict) =>
        conflict
          .column('bucket')
          .where('bucket', 'is not', null)
          .doUpdateSet((set) => ({ count: set('audit_entries.count', '+', count) })),
      )
      .execute();
    logEntry(services, origin, deed);
  } catch (error) {
    services.log.warn({ err: error }, 'failed sign-ins could not be recorded');
  }
}

/** The account with this name, if there is one: any other input may be a password. */
function objectOf({ user }: FailedSignIn, isShared: boolean): AuditObject {
  if (!user || isShared) return { type: 'user', id: null, name: '', ownerId: null };
  return { type: 'user', id: user.id, name: user.name, ownerId: user.id };
}
