import type { HttpResponse } from '../../http/responses.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import type { PackageCall } from './format.ts';
import { serveSmall } from './serve.ts';

/** Serves the OpenPGP key that signs the documents of a format, as a file if it has a name. */
export async function serveOpenPgpKey(call: PackageCall, format: string, name?: string): Promise<HttpResponse> {
  const { publicKey } = await openPgpSigner(call.context, call.owner, format);
  return await serveSmall(call, Buffer.from(publicKey), { type: 'application/pgp-keys', ...(name !== undefined && { name }) });
}
