import type { Act, Context } from '../context.ts';
import { RecordedAct } from './act.ts';

/** The act of a command: its first transaction has an entry, so commands that only read have none. */
export function commandAct({ actor, signIn, address, requestId }: Context, line: string, values: Readonly<Record<string, unknown>>): Act {
  const act = new RecordedAct(
    { action: 'command.run', fields: ['command', 'options'] },
    { actor, signIn, address, requestId, userAgent: '' },
    { params: {} },
    '//command',
  );
  act.read({ command: line, options: values });
  return act;
}
