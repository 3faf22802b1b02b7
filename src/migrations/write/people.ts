import { findUserById } from '../../access/find-user.ts';
import { GHOST_ID, ghost } from '../../accounts/users/ghost.ts';
import type { Context } from '../../context.ts';
import type { SourcePerson } from '../source/source.ts';

/** Whom a row is attributed to. */
export interface Attribution {
  readonly author_id: number;
  /** Empty for users with an account here. */
  readonly original_author: string;
  readonly original_author_id: number;
}

/** Longer names are cut. */
const MAX_NAME = 255;
/** Maximum number of users whose account is cached. */
const MAX_KNOWN = 100_000;

/**
 * Attributes what is migrated. People of another server are named as its authors, and the row is in the name of who asked for the migration.
 * If the source is this server, people with the same id and name are themselves.
 */
export class People {
  readonly #context: Context;
  readonly #actorId: number;
  readonly #isOwn: boolean;
  readonly #accounts = new Map<number, number | undefined>();

  /** @param isOwn whether the source is this server */
  constructor(context: Context, actorId: number, isOwn: boolean) {
    this.#context = context;
    this.#actorId = actorId;
    this.#isOwn = isOwn;
  }

  /** Whom something of this person is attributed to. */
  async attribute(person: SourcePerson | undefined): Promise<Attribution> {
    const account = person && (await this.account(person));
    if (account !== undefined) return { author_id: account, original_author: '', original_author_id: 0 };
    return {
      author_id: this.#actorId,
      original_author: (person?.name || ghost.name).slice(0, MAX_NAME).toWellFormed(),
      // 0 would say that the row is of the account it is in the name of, an approval for example.
      original_author_id: person?.id || GHOST_ID,
    };
  }

  /** The account that a person has here. */
  async account({ id, name }: SourcePerson): Promise<number | undefined> {
    if (!this.#isOwn || id <= 0) return undefined;
    if (this.#accounts.has(id)) return this.#accounts.get(id);
    const user = await findUserById(this.#context.db, id);
    const account = user?.lower_name === name.toLowerCase() ? user.id : undefined;
    if (this.#accounts.size < MAX_KNOWN) this.#accounts.set(id, account);
    return account;
  }
}
