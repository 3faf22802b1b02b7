const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', '\r': '&#xD;' };

/** Text for content and quoted attributes, without the characters that XML 1.0 does not have. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"\r]/g, (sign) => ESCAPES[sign] ?? sign);
}
