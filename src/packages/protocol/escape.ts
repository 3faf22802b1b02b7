/** A text as one segment of a URL's path, with the characters escaped that clients of Gitea find escaped. */
export function escapeSegment(text: string): string {
  return escapeAll(text).replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent);
}

/** A text as a part of a URL in which only letters, digits and `-._~` stand for themselves. */
export function escapeAll(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed());
  return escaped.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
