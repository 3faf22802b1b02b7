import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Receives webhooks, and notes what each is about. */
export class Receiver {
  /** How often each event came, such as `issues opened 3`. */
  readonly events = new Map<string, number>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const payload = (await json(request).catch(() => undefined)) as Payload | undefined;
      if (payload) this.#note(String(request.headers['x-gitea-event']), payload);
      response.end();
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #note(event: string, payload: Payload): void {
    const name = `${event} ${subjectOf(event, payload)}`;
    this.events.set(name, (this.events.get(name) ?? 0) + 1);
  }
}

/** What is read of payloads. */
interface Payload {
  action?: string;
  ref?: string;
  after?: string;
  number?: number;
  issue?: { number: number };
  comment?: { id: number };
  repository?: { name: string };
  package?: { name: string };
}

function subjectOf(event: string, { action, ref, after, number, issue, comment, repository, package: stored }: Payload): string {
  switch (event) {
    case 'push':
      return `${ref} ${after}`;
    case 'issues':
      return `${action} ${issue?.number}`;
    case 'issue_comment':
      return `${action} ${comment?.id}`;
    case 'pull_request':
      return `${action} ${number}`;
    case 'repository':
      return `${action} ${repository?.name}`;
    case 'package':
      return `${action} ${stored?.name}`;
    default:
      return '';
  }
}
