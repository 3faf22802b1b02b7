import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { type Received, receiver } from './receiver.ts';

/** What a payload is about: the type of its event, and the action or ref. */
export const brief = ({ headers, json }: Received) => [headers['x-gitea-event-type'], json.action ?? json.ref].join(' ');

/** Makes hooks on a server that reaches the loopback. */
export function listening(server: TestServer) {
  return async (client: Client, path: string, events: string[], config: object = {}) => {
    const there = await receiver();
    const hook = { type: 'gitea', active: true, events, config: { url: there.url, content_type: 'json', ...config } };
    const { id } = await client.must('POST', path, hook);
    /** What came since the last time. */
    const deliveries = async (): Promise<Received[]> => {
      await server.settled();
      return there.received.splice(0);
    };
    return { id: Number(id), deliveries };
  };
}
