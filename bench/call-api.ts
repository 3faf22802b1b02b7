/** Calls an API: `path` is what comes after `/api/v1`. Resolves with what it answers as JSON, undefined for nothing and for accepted failures. */
export type CallApi = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  accepted?: readonly number[],
) => Promise<T>;

/** Most characters of an answer in the message of a failure. */
const SHOWN = 200;

/**
 * What calls the API of a server, which throws for every failure but those of `accepted`.
 * @param authorization the header
 */
export function apiOf(url: string, authorization: string): CallApi {
  return async <T>(method: string, path: string, body?: unknown, accepted: readonly number[] = []) => {
    const response = await fetch(new URL(`/api/v1${path}`, url), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok && !accepted.includes(response.status))
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, SHOWN)}`);
    return (response.ok && text !== '' ? JSON.parse(text) : undefined) as T;
  };
}
