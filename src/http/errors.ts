/** The errors that a handler or a rule may throw. Only http/responses.ts turns them into responses. */
export class HttpError extends Error {
  readonly status: number;
  /** Further fields of the response, such as the `errors` list of a 404. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the response has the URL of the API description; most do. */
  readonly withUrl: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body where clients expect one without a message: a JSON value, or `''` for none at all. */
  readonly body: unknown;

  constructor(
    status: number,
    message: string,
    options: {
      fields?: Record<string, unknown>;
      withUrl?: boolean;
      headers?: Record<string, string>;
      body?: unknown;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'HttpError';
    this.status = status;
    this.fields = options.fields ?? {};
    this.withUrl = options.withUrl ?? true;
    this.headers = options.headers ?? {};
    this.body = options.body;
  }
}

/** 400: the request cannot be understood. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

/** 401: the caller has to sign in, or failed to. */
export function unauthorized(message: string, headers?: Record<string, string>): HttpError {
  return new HttpError(401, message, { headers });
}

/** 403: the caller may not do this. */
export function forbidden(message: string): HttpError {
  return new HttpError(403, message);
}

/** 403 from before the routes, whose body holds the message alone. */
export function forbiddenBare(message: string): HttpError {
  return new HttpError(403, message, { withUrl: false });
}

/**
 * 404 in the form `{errors, message, url}`: for an object that does not exist or is hidden.
 * @param errors further explanations, null when there are none
 */
export function notFound(errors: readonly string[] | null = null, message = 'not found'): HttpError {
  return new HttpError(404, message, { fields: { errors } });
}

/** 404 in the form `{message, url}`, with its own message. */
export function notFoundBecause(message: string): HttpError {
  return new HttpError(404, message);
}

/** 409: the current state does not allow it. */
export function conflict(message: string): HttpError {
  return new HttpError(409, message);
}

/** 422: the request is well-formed but impossible. */
export function unprocessable(message: string): HttpError {
  return new HttpError(422, message);
}

/** 423: the repository is archived. */
export function locked(message: string): HttpError {
  return new HttpError(423, message);
}

/** A URL that moved: the response redirects to the new one. */
export class MovedError extends Error {
  readonly location: string;
  readonly status: 301 | 302 | 303 | 307;
  constructor(location: string, status: 301 | 302 | 303 | 307 = 301) {
    super(`moved to ${location}`);
    this.name = 'MovedError';
    this.location = location;
    this.status = status;
  }
}
