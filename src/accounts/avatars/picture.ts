/** The formats that browsers show and that hold no scripts. */
export type PictureType = 'png' | 'jpeg' | 'gif' | 'webp';

/** A checked picture. */
export interface Picture {
  readonly type: PictureType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** What shows the picture, without what else the file told: where it was taken, by whom, and whatever came after its end. */
  readonly content: Buffer;
}

/** The bytes are no whole picture in one of the formats. */
export class NoPictureError extends Error {
  override readonly name = 'NoPictureError';
}
