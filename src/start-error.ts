/** The server cannot start. The message is for the operator: it names the cause, and the setting that helps. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
