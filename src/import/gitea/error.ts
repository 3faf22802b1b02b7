/** Why an import cannot begin or go on, in words for whoever runs it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
