import { create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { RunnerService } from '../actions/protocol/services.ts';
import { trimEnd } from '../text/trim-end.ts';

/** How long a call may take. */
const TIMEOUT_MS = 30_000;
/** Milliseconds that are left for a response on its way when the server has waited for as long as it may. */
const MARGIN_MS = 5000;
const MAX_MESSAGE = 500;

/** The server refused a call, or could not be reached. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** It may work later. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTemporary = isTemporary;
  }
}

/** The credentials of a runner. */
export interface Credentials {
  readonly uuid: string;
  readonly token: string;
}

interface Method<I extends DescMessage, O extends DescMessage> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
}

const { method } = RunnerService;

/** Calls the procedures of runners, by the Connect protocol: https://connectrpc.com/docs/protocol#unary-request */
export class RunnerClient {
  /** The URL of the instance, without a slash at the end. */
  readonly url: string;
  readonly #credentials: Credentials | undefined;

  constructor(url: string, credentials?: Credentials) {
    this.url = trimEnd(url, '/');
    this.#credentials = credentials;
  }

  /** Creates a runner. */
  register = (message: MessageInitShape<typeof method.register.input>) => this.#call(method.register, message);
  /** Reports the current labels of the runner. */
  declare = (message: MessageInitShape<typeof method.declare.input>) => this.#call(method.declare, message);
  /** Asks for a job. The server may wait for one, until the signal aborts. */
  fetchTask = (message: MessageInitShape<typeof method.fetchTask.input>, signal: AbortSignal) =>
    this.#call(method.fetchTask, message, { headers: { 'connect-timeout-ms': String(TIMEOUT_MS - MARGIN_MS) }, signal });
  /** Reports how far a job is. */
  updateTask = (message: MessageInitShape<typeof method.updateTask.input>) => this.#call(method.updateTask, message);
  /** Sends lines of a log. */
  updateLog = (message: MessageInitShape<typeof method.updateLog.input>) => this.#call(method.updateLog, message);

  /** @throws CallError */
  async #call<I extends DescMessage, O extends DescMessage>(
    { name, input, output }: Method<I, O>,
    message: MessageInitShape<I>,
    options: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
  ): Promise<MessageShape<O>> {
    const { uuid, token } = this.#credentials ?? {};
    const headers = {
      'content-type': 'application/proto',
      'connect-protocol-version': '1',
      ...options.headers,
      ...(uuid && token && { 'x-runner-uuid': uuid, 'x-runner-token': token }),
    };
    const body = toBinary(input, create(input, message));
    const url = `${this.url}/api/actions/${RunnerService.typeName}/${name}`;
    try {
      const signals = [AbortSignal.timeout(TIMEOUT_MS), options.signal].filter((one) => one !== undefined);
      const signal = AbortSignal.any(signals);
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok) return fromBinary(output, bytes);
      throw new CallError(refusalOf(response.status, bytes), response.status >= 500 || response.status === 429);
    } catch (error) {
      if (error instanceof CallError) throw error;
      const { message, cause } = error as Error;
      const detail = cause instanceof Error && cause.message ? cause.message : message;
      throw new CallError(`${this.url} cannot be reached: ${detail}`, true, { cause: error });
    }
  }
}

function refusalOf(status: number, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8', 0, MAX_MESSAGE);
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Something before the instance responded.
  }
  return `the server responded with ${status}`;
}
