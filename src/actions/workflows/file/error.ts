/** A workflow file is invalid. The message is for its author, and begins with line and column if they are known. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError';
}
