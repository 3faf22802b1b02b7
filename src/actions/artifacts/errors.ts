import type { HttpResponse } from '../../http/responses.ts';
import { text } from '../../http/responses.ts';

/** An error of the artifact service, which its clients get as plain text. */
export class ArtifactError extends Error {
  override readonly name = 'ArtifactError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The result of a handler, with refusals as responses. */
export async function refusingAsText(handle: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof ArtifactError) return text(`${error.message}\n`, error.status);
    throw error;
  }
}
