/** The consecutive strings of RFC 4251, section 5, up to the first incomplete one. */
export function sshFields(blob: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at + 4 <= blob.length; ) {
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) break;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

/** A string of RFC 4251: its length and its bytes. */
export function sshField(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
