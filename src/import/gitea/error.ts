/** The reason why an import cannot begin or continue, for the operator. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
