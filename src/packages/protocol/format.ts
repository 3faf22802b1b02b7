import type { Caller } from '../../access/provided.ts';
import type { Context, Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import type { AccessLevel } from '../../database/tables/repositories.ts';
import type { PackageEvent } from '../../events/events.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import type { NewContents } from '../blobs/new-contents.ts';
import type { PackageError } from '../errors.ts';
import type { IndexBuilder } from '../indexes/build.ts';

/** A request of a client of a format. */
export interface PackageCall {
  readonly context: Context;
  /** Whose packages the path names. */
  readonly owner: User;
  /** What the caller may do with them: see `packageAccess`. */
  readonly access: AccessLevel;
  /** The parameters of the route's pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Its `raw` is the stream of the body. */
  readonly request: RequestParts;
  /** The URL at which the client found the format: `https://host/api/packages/OWNER/TYPE`, for links. */
  readonly baseUrl: string;
  /** What it stores to publish. */
  readonly contents: NewContents;
}

/** A route of a format. */
export interface FormatRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/packages/:username`, or the format's `mount`; see `compilePattern`. */
  readonly path: string;
  /** GET serves HEAD too; elsewhere HEAD is refused, as clients of Gitea know it. */
  readonly head?: true;
  /**
   * What the caller needs of the owner's packages; `none` for what clients read before they sign in. `publish` is `write` for what only
   * adds by `ensurePackage`: the token of a job may do that too.
   */
  readonly access: 'none' | 'read' | 'publish' | 'write';
  readonly handle: (call: PackageCall) => Promise<HttpResponse>;
}

/** What a format's own ways of signing in look at. */
export interface SignInRequest {
  readonly services: Services;
  readonly request: RequestParts;
}

/** All that a format of packages adds to the registry. A folder's `format.ts` holds one, `formats.ts` lists them. */
export interface PackageFormat {
  readonly type: PackageType;
  readonly routes: readonly FormatRoute[];
  /** Where its routes are, if not at `/api/packages/:username`; with `:username` in it. */
  readonly mount?: string;
  /**
   * A pattern of paths at which what no route has, path or method, is a 404 after the caller has been checked, as clients of Gitea know
   * it. Elsewhere it is a 404 or 405 for everybody.
   */
  readonly group?: string;
  /**
   * A way of signing in beside those of the API (basic, bearer, tokens in place of passwords), such as by a header of its own; tried first.
   * @returns undefined where the request does not use it
   * @throws HttpError 401
   */
  readonly signIn?: (request: SignInRequest) => Promise<Caller | undefined>;
  /** The response to a refusal in the form that clients read; the message in plain text when left out. */
  readonly refuse?: (error: PackageError, request: RequestParts, services: Services) => HttpResponse;
  /** Builds its indexes, if it has any. */
  readonly index?: IndexBuilder;
  /** Its part in the task `cleanup_packages`: removes what is unused since a moment, in seconds. */
  readonly cleanup?: (context: Context, before: number, signal: AbortSignal) => Promise<void>;
  /** Within the transaction that deletes a version, from wherever: marks indexes, or refuses with a PackageError. */
  readonly deleting?: (event: PackageEvent, context: Context) => Promise<void>;
  /** Whether cleanup rules leave a version alone whatever they say, such as one that others need. */
  readonly keeps?: (version: PackageVersionRow, context: Context) => Promise<boolean>;
}
