import type { Context } from '../context.ts';
import { pullRefFindings } from '../pulls/doctor/refs.ts';
import { countFindings } from '../repositories/doctor/counts.ts';
import type { Finding } from '../repositories/doctor/finding.ts';
import { folderFindings, strayFolders } from '../repositories/doctor/folders.ts';
import { unfinishedRepositories } from '../repositories/doctor/states.ts';
import { type Option, task } from './task.ts';
import type { Terminal } from './words.ts';

const OPTIONS = {
  fix: { type: 'boolean', meaning: 'Mend what can be mended.' },
  'remove-stray': { type: 'boolean', meaning: 'With --fix: also remove folders that belong to no repository.' },
  fsck: { type: 'boolean', meaning: 'Also let git check all objects of every repository; this takes long.' },
} as const satisfies Record<string, Option>;

/** `copse doctor`: compares the database with the folders of repositories. */
export const doctor = task(
  'copse doctor',
  'Finds what a crash left, and mends it when asked to.',
  OPTIONS,
  async (context, values, terminal) => {
    let found = 0;
    let mended = 0;
    for await (const finding of findings(context, values.fsck)) {
      found++;
      const mend = values.fix && finding.fix && (!finding.removes || values['remove-stray']);
      if (mend) await finding.fix();
      if (mend) mended++;
      tell(terminal, finding, Boolean(mend));
    }
    if (found === 0) return 'nothing is wrong';
    return `found ${found}, mended ${mended}`;
  },
);

async function* findings(context: Context, fsck: boolean): AsyncGenerator<Finding> {
  yield* unfinishedRepositories(context);
  yield* strayFolders(context);
  yield* folderFindings(context, { fsck });
  yield* pullRefFindings(context);
  yield* countFindings(context);
}

function tell(terminal: Terminal, { text, fix }: Finding, mended: boolean): void {
  terminal.out(`${mended ? 'mended: ' : fix ? 'can be mended: ' : ''}${text}\n`);
}
