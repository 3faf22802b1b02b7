/** Size limit of a `.PKGINFO` file in bytes. */
export const MAX_PKGINFO = 1024 * 1024;

/** The fields of a `.PKGINFO` file, as packages of Alpine and Arch Linux have it: lines with a name and a value. */
export class PackageInfo {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(text: string) {
    const fields = text.split('\n').flatMap((line) => {
      const at = line.startsWith('#') ? -1 : line.indexOf('=');
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
    });
    const byName = Map.groupBy(fields, ([name]) => name);
    this.#values = new Map([...byName].map(([name, found]) => [name, found.map(([, value]) => value)]));
  }

  /** The last value of a field; empty without one. */
  text(name: string): string {
    return this.#values.get(name)?.at(-1) ?? '';
  }

  /** All values of a field that are not empty. */
  texts(name: string): readonly string[] {
    return this.#values.get(name)?.filter((value) => value !== '') ?? [];
  }

  /** The last value of a field as a number; undefined for none. */
  integer(name: string): number | undefined {
    const value = this.text(name);
    return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : undefined;
  }
}
