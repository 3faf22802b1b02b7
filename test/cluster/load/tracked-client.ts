import { Client, type TestRequest, type TestResponse } from '../../support/client.ts';
import { ADMIN } from '../support/cluster.ts';

/** A request or a git command that failed by the service's fault. Times are of `performance.now()`. */
export interface Failure {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  /** The status of the response; undefined where there was none, and for git. */
  readonly status: number | undefined;
  /** Whether the response says when to try again. */
  readonly isRetryable: boolean;
}

/** The administrator, who notes each failure: no response, one of 5xx, or a git command that ended badly. */
export class TrackedClient extends Client {
  readonly failures: Failure[] = [];
  /** Requests and git commands that succeeded. */
  succeeded = 0;

  constructor(url: string) {
    super(() => url, ADMIN);
  }

  override async send(method: string, path: string, request?: TestRequest): Promise<TestResponse> {
    const from = performance.now();
    const note = (status: number | undefined, what: string, isRetryable = false) =>
      this.failures.push({ from, to: performance.now(), what: `${method} ${path}: ${what}`, status, isRetryable });
    let response: TestResponse;
    try {
      response = await super.send(method, path, request);
    } catch (error) {
      note(undefined, String(error));
      throw error;
    }
    const { status, headers, text } = response;
    if (status >= 500) note(status, `${status} ${text.slice(0, 200)}`, status === 503 && headers.has('retry-after'));
    else this.succeeded++;
    return response;
  }

  override async git(args: string[], cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const from = performance.now();
    const result = await super.git(args, cwd);
    if (result.code === 0) this.succeeded++;
    else {
      const what = `git ${args[0]}: ${result.stderr.slice(0, 300)}`;
      this.failures.push({ from, to: performance.now(), what, status: undefined, isRetryable: / 503/.test(result.stderr) });
    }
    return result;
  }
}
