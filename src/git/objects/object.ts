export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** The type and size of an object. */
export interface ObjectInfo {
  readonly oid: string;
  readonly type: ObjectType;
  /** Bytes of the content. */
  readonly size: number;
}

/** An object with its content. */
export interface GitObject extends ObjectInfo {
  readonly data: Buffer;
}

/** An object is larger than the caller's limit. */
export class ObjectTooLargeError extends Error {
  override readonly name = 'ObjectTooLargeError';
  readonly oid: string;
  readonly size: number;
  readonly type: ObjectType;
  constructor({ oid, size, type }: ObjectInfo, maxSize: number) {
    super(`object ${oid} has ${size} bytes, more than ${maxSize}`);
    this.oid = oid;
    this.size = size;
    this.type = type;
  }
}
