import { type HttpResponse, raw } from '../../http/responses.ts';

/** The options that a script passes to the browser's passkey dialog. They contain a challenge, so they are not cached. */
export function passkeyOptions(publicKey: object): HttpResponse {
  return raw(JSON.stringify({ publicKey }), 'application/json; charset=utf-8', { headers: { 'cache-control': 'no-store' } });
}
