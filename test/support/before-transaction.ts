import type { Context } from '../../src/context.ts';

/** The same context, whose next transaction begins only when `act` is done: what comes between a change's preparation and itself. */
export function beforeTransaction(context: Context, act: () => Promise<unknown>): Context {
  let isDone = false;
  const db = new Proxy(context.db, {
    get(target, key) {
      if (key === 'transaction' && !isDone) {
        isDone = true;
        const execute = async (change: never) => {
          await act();
          return target.transaction().execute(change);
        };
        return () => ({ execute });
      }
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...context, db };
}
