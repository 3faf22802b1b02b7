/** The object formats that a repository can be made with; the first is git's own default. */
export const OBJECT_FORMATS = ['sha1', 'sha256'] as const;

/** How a repository names its objects. */
export type ObjectFormat = (typeof OBJECT_FORMATS)[number];

/** Whether `text` is the name of an object format that a repository can be made with. */
export function isObjectFormat(text: string): text is ObjectFormat {
  return OBJECT_FORMATS.some((format) => format === text);
}

/** A bare repository on disk: all that the git layer knows of one. */
export interface GitRepository {
  /** The absolute path of its folder. */
  readonly path: string;
  readonly objectFormat: ObjectFormat;
}

/** The hexadecimal length of an object id. */
export function objectIdLength(format: ObjectFormat): 40 | 64 {
  return format === 'sha256' ? 64 : 40;
}

/** The id that stands for no object, as in a ref's creation and deletion. */
export function zeroObjectId(format: ObjectFormat): string {
  return '0'.repeat(objectIdLength(format));
}

/** Whether `text` is a full object id of this format. */
export function isObjectId(text: string, format: ObjectFormat): boolean {
  return text.length === objectIdLength(format) && /^[0-9a-f]+$/.test(text);
}
