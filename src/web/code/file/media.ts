/** How a file that is not text is shown. */
export type Media = 'image' | 'audio' | 'video' | 'pdf';

const ENDINGS: readonly (readonly [RegExp, Media])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i, 'image'],
  [/\.(?:mp3|ogg|oga|opus|wav|flac|m4a)$/i, 'audio'],
  [/\.(?:mp4|m4v|webm|ogv|mov)$/i, 'video'],
  [/\.pdf$/i, 'pdf'],
];

/** By the name of a file; undefined for types that browsers do not show. */
export function mediaOf(path: string): Media | undefined {
  return ENDINGS.find(([ending]) => ending.test(path))?.[1];
}
