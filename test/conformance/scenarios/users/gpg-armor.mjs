// The armor of OpenPGP keys: indented, with other line ends, cut off, in other text.
const KEY = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEawpxXBYJKwYBBAHaRw8BAQdAwtTxAB7XAz3XFLf4D118Buu51V45rmim+z9Y
L/QH2Ia0GEtleSA8bm9ib2R5QGV4YW1wbGUuY29tPoiQBBMWCAA4FiEEzYk1o43p
ekVrTYfmz0IFyoG/FdoFAmsKcVwCGwMFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AA
CgkQz0IFyoG/FdoGhgEA35+VGJ6gRj6341Zd8+yR5RjZX2OMVUXFLgmTYFA0eysA
/isaXu494ZpVKCIxeO9v4nKg7we82aIDxHaoLfzux+AF
=/rvl
-----END PGP PUBLIC KEY BLOCK-----
`;

export default async function (t) {
  const alice = await t.user('alice');
  for (const [name, armored_public_key] of [
    ['as it is', KEY],
    ['indented', `\n\n  ${KEY.replaceAll('\n', '\n\t  ')}`],
    ['line ends', KEY.replaceAll('\n', '\r\n')],
    ['in text', `A key:\n${KEY}\nand more`],
    ['cut off', KEY.slice(0, 200)],
    ['no armor', 'words'],
  ]) {
    const { status, json } = await alice.send('POST', '/user/gpg_keys', { json: { armored_public_key } });
    t.record(name, { status, message: json.message });
  }
}
