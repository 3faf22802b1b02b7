import hooks from 'node:async_hooks';

/*
 * Loaded before each file of tests. node:test follows every promise and every timer from the test that led to it, to tell whose an
 * error is that nobody catches: a fifth of the processor time of tests that ask a server. Here an error that nobody catches is its
 * file's, and only tests themselves are noted, for their places in each other. What of node:test this knows is two names; when it
 * does otherwise some day, everything is followed again, and slower.
 */

type Init = (id: number, type: string, trigger: number, resource: object) => void;

const { AsyncResource, createHook } = hooks;
let note: Init | undefined;

class Noted extends AsyncResource {
  constructor(...parameters: ConstructorParameters<typeof AsyncResource>) {
    super(...parameters);
    const [type] = parameters;
    if (type === 'Test') note?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }
}

function createFirstHook({ init }: { init?: Init }) {
  Object.assign(hooks, { AsyncResource, createHook });
  note = init;
  const hook = { enable: () => hook, disable: () => hook };
  return hook;
}

Object.assign(hooks, { AsyncResource: Noted, createHook: createFirstHook });
