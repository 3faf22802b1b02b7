/** Why an import cannot begin or go on, in words for the operator. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
