/** Values by the number of their tag: texts, or numbers. */
export type RpmFields = Readonly<Record<number, readonly string[] | readonly number[]>>;

const [INT32, STRINGS] = [4, 8];

/** A package of RPM of these fields, with a payload of seven bytes. */
export function rpm(fields: RpmFields): Buffer {
  const lead = Buffer.alloc(96);
  lead.writeUInt32BE(0xedabeedb, 0);
  const signature = header({ 1007: [7] });
  return Buffer.concat([lead, signature, Buffer.alloc(-(lead.length + signature.length) & 7), header(fields), Buffer.from('payload')]);
}

function header(fields: RpmFields): Buffer {
  const index: Buffer[] = [];
  const store: Buffer[] = [];
  let offset = 0;
  for (const [tag, values] of Object.entries(fields)) {
    const isNumber = typeof values[0] === 'number';
    const data = Buffer.concat(
      values.map((value) => {
        if (typeof value === 'string') return Buffer.from(`${value}\0`);
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32BE(value);
        return bytes;
      }),
    );
    const entry = Buffer.alloc(16);
    [Number(tag), isNumber ? INT32 : STRINGS, offset, values.length].forEach((number, at) => void entry.writeUInt32BE(number, at * 4));
    index.push(entry);
    store.push(data);
    offset += data.length;
  }
  const intro = Buffer.from('8eade801'.padEnd(32, '0'), 'hex');
  intro.writeUInt32BE(index.length, 8);
  intro.writeUInt32BE(offset, 12);
  return Buffer.concat([intro, ...index, ...store]);
}
