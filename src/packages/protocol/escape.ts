/** Escapes a text for one segment of a URL's path, with the same characters as Gitea. */
export function escapeSegment(text: string): string {
  return escapeAll(text).replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent);
}

/** Escapes everything except letters, digits and `-._~` for a URL. */
export function escapeAll(text: string): string {
  const escaped = encodeURIComponent(text.toWellFormed());
  return escaped.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
