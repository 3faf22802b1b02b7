const ESCAPES: Record<string, string> = { '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;', '"': '&#34;', '\r': '&#13;' };

/** Text escaped for HTML, in content and in quoted attributes alike, with the references the reference writes. */
export function escapeHtml(text: string): string {
  return /[&'<>"\r]/.test(text) ? text.replace(/[&'<>"\r]/g, (character) => ESCAPES[character] ?? character) : text;
}
