import { armor, enums, unarmor } from 'openpgp';

/** Joins armored keys into one text; without any, a block with a note. */
export async function run(armored: readonly string[]): Promise<string> {
  const parts: Uint8Array[] = [];
  for (const one of armored) {
    const { data } = await unarmor(one);
    parts.push(data as Uint8Array);
  }
  const comment = parts.length === 0 ? 'This user has no OpenPGP keys.' : undefined;
  return String(armor(enums.armor.publicKey, Buffer.concat(parts), undefined, undefined, comment)).replaceAll('\r\n', '\n');
}
