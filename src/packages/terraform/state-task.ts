/** What is read of a state. */
export interface StateHead {
  /** As it is in the document; 0 where it has none. */
  readonly serial: number;
  readonly lineage: string;
}

/** Reads a state; undefined for an invalid one. Documents of megabytes take a while. */
export function run(bytes: Uint8Array): StateHead | undefined {
  try {
    const state: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof state !== 'object' || state === null || Array.isArray(state)) return undefined;
    const { serial: given, lineage = '' } = state as Record<string, unknown>;
    const serial = given ?? 0;
    if (typeof serial !== 'number' || !Number.isSafeInteger(serial) || serial < 0 || typeof lineage !== 'string') return undefined;
    return { serial, lineage };
  } catch {
    return undefined;
  }
}
