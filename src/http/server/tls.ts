import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Settings } from '../../settings.ts';
import { StartError } from '../../start-error.ts';

/**
 * The certificate and its private key as PEM; undefined for plain HTTP.
 * @throws StartError that names the setting of a file that cannot be read or used
 */
export function readCertificate({ tlsCertificate, tlsKey }: Settings['server']): { cert: Buffer; key: Buffer } | undefined {
  if (!tlsCertificate || !tlsKey) return undefined;
  const cert = read('server.tlsCertificate (COPSE_TLS_CERTIFICATE)', tlsCertificate);
  const key = read('server.tlsKey (COPSE_TLS_KEY)', tlsKey);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`the certificate and the key of server.tlsCertificate and server.tlsKey cannot be used: ${message}`, {
      cause: error,
    });
  }
  return { cert, key };
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${setting}: ${file} cannot be read (${code})`, { cause: error });
  }
}
