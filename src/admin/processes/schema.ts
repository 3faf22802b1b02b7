import { array, boolean, define, inline, int64, nullable, number, oneOf, string, timestamp } from '../../http/schema.ts';

/** A running process of the instance. */
export const Process = define('Process', {
  id: int64({ description: 'Of this start; no other one has it.' }),
  role: oneOf(['server', 'command'], { description: 'A server, or a command such as `copse doctor`.' }),
  host: string({ description: 'The name of its machine or container.' }),
  pid: int64(),
  version: string(),
  started: timestamp(),
  heartbeat: timestamp({ description: "Its last heartbeat, by the database's clock." }),
  is_draining: boolean({ description: 'It completes running requests, and accepts no new ones.' }),
  cpu: nullable(number({ description: 'Of one core, between its last two heartbeats.' })),
  busy: nullable(number({ description: 'The part of that time in which its main thread was busy, from 0 to 1.' })),
  memory: nullable(int64({ description: 'Bytes.' })),
  jobs: array(
    inline({
      type: string(),
      started: timestamp(),
      attempt: int64(),
      progress: string({ description: 'How far it is, in words; empty where it does not say.' }),
    }),
    { description: 'The background jobs that it works on.' },
  ),
  tasks: array(string(), { description: 'The scheduled tasks that it works on.' }),
});
