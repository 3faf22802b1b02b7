import { type HttpResponse, raw } from '../../http/responses.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import type { PackageCall } from './format.ts';

/** Serves the OpenPGP key that signs the documents of a format, as the file `repository.key`. */
export async function serveOpenPgpKey({ context, owner }: PackageCall, format: string): Promise<HttpResponse> {
  const { publicKey } = await openPgpSigner(context, owner, format);
  const headers = { 'content-disposition': 'attachment; filename=repository.key', 'x-content-type-options': 'nosniff' };
  return raw(publicKey, 'application/pgp-keys', { headers });
}
