/** The hook that strips types, if Node was started with it. */
const HOOK = /[\\/]src[\\/]strip-types\.js$/;

/** Arguments of Node for another process or thread that reads this program, so that it reads it as this one does. */
export const LOADING_ARGUMENTS: readonly string[] = process.execArgv.filter(
  (argument, at, all) => HOOK.test(argument) || (argument === '--require' && HOOK.test(all[at + 1] ?? '')),
);
