/** A workflow file cannot be used. The message is for its author, and begins with line and column where they are known. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError';
}
