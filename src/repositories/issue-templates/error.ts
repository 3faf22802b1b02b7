/** A file is invalid; the message is for its author. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
