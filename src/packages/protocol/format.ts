import type { Caller } from '../../access/provided.ts';
import type { Context, Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { VersionRow } from '../../database/tables/packages.ts';
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
  /** The owner in the path. */
  readonly owner: User;
  /** The caller's access to the owner's packages: see `packageAccess`. */
  readonly access: AccessLevel;
  /** The parameters of the route's pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Its `raw` is the stream of the body. */
  readonly request: RequestParts;
  /** The format's URL as the client used it: `https://host/api/packages/OWNER/TYPE`, for links. */
  readonly baseUrl: string;
  /** The contents that it stores. */
  readonly contents: NewContents;
}

/** A route of a format. */
export interface FormatRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/packages/:username`, or the format's `mount`; see `compilePattern`. */
  readonly path: string;
  /** GET also serves HEAD; otherwise HEAD is refused, as clients of Gitea expect. */
  readonly head?: true;
  /**
   * The required access to the owner's packages; `none` for what clients read before they sign in. `publish` is `write` for routes that only
   * add by `ensurePackage`: the token of a job may use them too.
   */
  readonly access: 'none' | 'read' | 'publish' | 'write';
  readonly handle: (call: PackageCall) => Promise<HttpResponse>;
}

/** The input of a format's own sign-in methods. */
export interface SignInRequest {
  readonly services: Services;
  readonly request: RequestParts;
}

/** Everything that a package format adds to the registry. A folder's `format.ts` exports one, `formats.ts` lists them. */
export interface PackageFormat {
  readonly type: PackageType;
  readonly routes: readonly FormatRoute[];
  /** The path of its routes, if not `/api/packages/:username`; it contains `:username`. */
  readonly mount?: string;
  /**
   * A pattern of paths where an unknown path or method is a 404 only after the caller has been checked, as clients of Gitea expect.
   * Elsewhere it is a 404 or 405 for everybody.
   */
  readonly group?: string;
  /**
   * A sign-in method besides those of the API (basic, bearer, tokens as passwords), for example by its own header; tried first.
   * @returns undefined where the request does not use it
   * @throws HttpError 401
   */
  readonly signIn?: (request: SignInRequest) => Promise<Caller | undefined>;
  /** The response to an error in the format's form; the message in plain text when left out. */
  readonly refuse?: (error: PackageError, request: RequestParts, services: Services) => HttpResponse;
  /** Builds its indexes, if it has any. */
  readonly index?: IndexBuilder;
  /** Its part in the task `cleanup_packages`: deletes what is unused since a time, in seconds. */
  readonly cleanup?: (context: Context, before: number, signal: AbortSignal) => Promise<void>;
  /** Within the transaction that deletes a version, by any actor: marks indexes, or refuses with a PackageError. */
  readonly deleting?: (event: PackageEvent, context: Context) => Promise<void>;
  /** Which of some versions of a package are exempt from cleanup rules, for example because others need them. */
  readonly exempt?: (versions: readonly VersionRow[], context: Context) => Promise<IsExempt>;
}

/** Whether a version is exempt from cleanup rules when those with the ids of `gone` are deleted. */
export type IsExempt = (version: VersionRow, gone: ReadonlySet<number>) => boolean;
