/** Thrown for texts that cannot be rendered; `message` is for the caller, with status 422. */
export class UnrenderableError extends Error {
  override name = 'UnrenderableError';
}
