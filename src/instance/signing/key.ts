import type { Sign } from '../../git/objects/write-objects.ts';

/** The key that the server signs its own commits with. */
export interface ServerKey {
  readonly format: 'openpgp' | 'ssh';
  /** Armored for OpenPGP, the line of a public key file for SSH. */
  readonly publicText: string;
  readonly sign: Sign;
}
