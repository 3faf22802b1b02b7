import type { Context } from '../context.ts';
import { largeFileFindings } from '../lfs/objects/doctor.ts';
import { packageFindings } from '../packages/blobs/doctor.ts';
import { totalsFindings } from '../packages/registry/totals.ts';
import { pullRefFindings } from '../pulls/doctor/refs.ts';
import { blobFindings } from '../repositories/doctor/blobs.ts';
import { countFindings } from '../repositories/doctor/counts.ts';
import type { Finding } from '../repositories/doctor/finding.ts';
import { folderFindings, strayFolders } from '../repositories/doctor/folders.ts';
import { unfinishedRepositories } from '../repositories/doctor/states.ts';
import { indexFindings } from '../search/index/stale.ts';
import { BLOB_OWNERS } from './blob-owners.ts';
import { type Option, task } from './task.ts';
import type { Terminal } from './words.ts';

const OPTIONS = {
  fix: { type: 'boolean', meaning: 'Repair what can be repaired.' },
  'remove-stray': { type: 'boolean', meaning: 'With --fix: also remove folders and stored bytes that belong to nothing.' },
  fsck: { type: 'boolean', meaning: 'Also let git check all objects of every repository; this takes long.' },
} as const satisfies Record<string, Option>;

/** `copse doctor`: compares the database with the folders of repositories. */
export const doctor = task(
  'copse doctor',
  'Finds what a crash left, and repairs it when asked to.',
  OPTIONS,
  async (context, values, terminal) => {
    let found = 0;
    let repaired = 0;
    for await (const finding of findings(context, values.fsck)) {
      found++;
      const repair = values.fix && finding.fix && (!finding.removes || values['remove-stray']);
      if (repair) await finding.fix();
      if (repair) repaired++;
      printFinding(terminal, finding, Boolean(repair));
    }
    if (found === 0) return 'nothing is wrong';
    return `found ${found}, repaired ${repaired}`;
  },
);

async function* findings(context: Context, fsck: boolean): AsyncGenerator<Finding> {
  yield* unfinishedRepositories(context);
  yield* strayFolders(context);
  yield* folderFindings(context, { fsck });
  yield* pullRefFindings(context);
  yield* countFindings(context);
  yield* largeFileFindings(context);
  yield* packageFindings(context);
  yield* totalsFindings(context);
  yield* indexFindings(context);
  for (const owners of BLOB_OWNERS) yield* blobFindings(context, owners);
}

function printFinding(terminal: Terminal, { text, fix }: Finding, repaired: boolean): void {
  terminal.out(`${repaired ? 'repaired: ' : fix ? 'can be repaired: ' : ''}${text}\n`);
}
