import { type HttpResponse, raw } from '../../http/responses.ts';

/** What a script hands to the browser's own dialog for passkeys. It has a challenge in it, so it is not kept. */
export function passkeyOptions(publicKey: object): HttpResponse {
  return raw(JSON.stringify({ publicKey }), 'application/json; charset=utf-8', { headers: { 'cache-control': 'no-store' } });
}
