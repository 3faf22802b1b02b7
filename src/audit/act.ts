import type { Loaded } from '../access/load.ts';
import { type Act, type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { AuditAction, AuditObject } from './actions.ts';
import { type Deed, deedColumns, type Origin, writeEntry } from './entries.ts';
import { logEntry } from './log.ts';
import { objectOf } from './object.ts';

/** The act of a route, for the audit log. */
export interface ActDeclaration {
  /** The action, or a function of the body and the path's resources before the change; undefined for what is not recorded. */
  readonly action: AuditAction | ((body: Readonly<Record<string, unknown>>, input: Loaded) => AuditAction | undefined);
  /** Fields of the body or the form that are recorded; values that may be secret are not among them. */
  readonly fields: readonly string[];
  /**
   * How the entry is written: by default with the first transaction of the handler; `with handler`: the handler becomes one
   * transaction, for handlers that only change rows and have none; `before`, for changes outside of the database.
   */
  readonly entry?: 'with handler' | 'before';
}

/** Fields that name the object itself, so they need not be among the details, and secrets. */
const UNRECORDED_PARAMETERS = new Set(['owner', 'repo', 'org', 'template_owner', 'template_repo', 'invitation']);

/** The act of one request. The first of its transactions that commits has its entry. */
export class RecordedAct implements Act {
  readonly #declaration: ActDeclaration;
  #input: Loaded;
  readonly #path: string;
  #origin: Origin;
  #body: Readonly<Record<string, unknown>> = {};
  #object: AuditObject | undefined;
  #details: Deed['details'] = {};
  #transaction: Context['afterCommit'];
  #id: number | undefined;
  #isCommitted = false;

  constructor(declaration: ActDeclaration, origin: Origin, input: Loaded, path: string) {
    this.#declaration = declaration;
    this.#origin = origin;
    this.#input = input;
    this.#path = path;
  }

  /** Who acts, and from where. */
  get origin(): Origin {
    return this.#origin;
  }

  by(actor: User): void {
    this.#origin = { ...this.#origin, actor, signIn: { method: 'session', basic: false, token: null } };
  }

  found(loaded: unknown): void {
    this.#input = loaded as Loaded;
  }

  read(body: unknown): void {
    if (typeof body === 'object' && body !== null) this.#body = body as Record<string, unknown>;
  }

  async write(context: Context): Promise<void> {
    const deed = this.#isCommitted ? undefined : this.#deed();
    if (deed) this.#id = await writeEntry(context, this.#origin, deed);
  }

  committed(): void {
    if (this.#id !== undefined) this.#isCommitted = true;
  }

  /** Takes the object, where the path does not name it. */
  about(object: AuditObject): void {
    this.#object = object;
  }

  /** Takes the object of an event if the event is about this act. */
  async covers(context: Context, action: AuditAction, object: AuditObject, details: Deed['details']): Promise<boolean> {
    if (this.#deed()?.action !== action) return false;
    // A transaction that was rolled back in a deadlock is run again, and has another object.
    if (this.#object && (this.#isCommitted || this.#transaction === context.afterCommit)) return false;
    this.#transaction = context.afterCommit;
    this.#object = object;
    this.#details = details;
    const deed = this.#deed();
    if (deed && this.#isCommitted && this.#id !== undefined) {
      await context.db.updateTable('audit_entries').set(deedColumns(deed)).where('id', '=', this.#id).execute();
    }
    return true;
  }

  async around<R>(context: Context, handle: (context: Context) => Promise<R>): Promise<R> {
    const { entry } = this.#declaration;
    try {
      if (entry === 'before') await inTransaction(context, async () => {});
      const result = entry === 'with handler' ? await inTransaction(context, handle) : await handle(context);
      await this.#end(context, true);
      return result;
    } catch (error) {
      await this.#end(context, false);
      throw error;
    }
  }

  async #end(context: Context, isDone: boolean): Promise<void> {
    const deed = this.#deed();
    if (!deed) return;
    const id = this.#isCommitted ? this.#id : undefined;
    if (id === undefined) {
      // Pages say what went wrong without an error. Of the API nothing is left to record here but what changed nothing.
      if (!isDone || this.#path.startsWith('//')) return;
      await writeEntry(context, this.#origin, deed);
    } else if (!isDone) await context.db.updateTable('audit_entries').set({ is_failed: true }).where('id', '=', id).execute();
    logEntry(context, this.#origin, deed, !isDone);
  }

  #deed(): Deed | undefined {
    const { action: declared, fields } = this.#declaration;
    const action = typeof declared === 'string' ? declared : declared(this.#body, this.#input);
    if (action === undefined) return undefined;
    const parameters = Object.entries(this.#input.params).filter(([name]) => !UNRECORDED_PARAMETERS.has(name));
    const changes = fields.filter((field) => this.#body[field] !== undefined).map((field) => [field, this.#body[field]] as const);
    return {
      action,
      object: this.#object ?? objectOf(this.#input, this.#path, this.#origin.actor),
      details: { ...Object.fromEntries([...parameters, ...changes]), ...this.#details },
    };
  }
}
