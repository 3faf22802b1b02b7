import type { Context } from '../context.ts';
import { listVolumes, type VolumeStatus } from '../repositories/volumes/list.ts';
import { VolumeMover } from '../repositories/volumes/move-network.ts';
import { type Option, task, UsageError } from './task.ts';
import { type Command, type Terminal, words } from './words.ts';

const OPTIONS = {
  repository: { type: 'string', meaning: 'OWNER/NAME of the repository; the word --repository may be left out. Its forks move with it.' },
  'all-from': { type: 'string', meaning: 'Move every repository of this volume instead.' },
  to: { type: 'string', required: true, meaning: 'The volume that gets them.' },
} as const satisfies Record<string, Option>;

/** Milliseconds between two lines of progress. */
const PROGRESS_STEP = 1000;

const moveTask = task(
  'copse repository move',
  'Moves repositories with their wikis to another volume, also while servers run. An interrupted move goes on when it is called again.',
  OPTIONS,
  async (context, values, terminal) => {
    const { volumes } = context.git;
    for (const name of [values.to, values['all-from']])
      if (name !== undefined && !volumes.has(name)) throw new UsageError(`there is no volume ${name}: look at repository.volumes`);
    if ((values.repository === undefined) === (values['all-from'] === undefined))
      throw new UsageError('name either a repository or --all-from');
    if (values['all-from'] === values.to) throw new UsageError('--all-from and --to are the same volume');
    const mover = new VolumeMover(context, values.to, progress(terminal));
    try {
      for await (const id of idsOf(context, values)) await mover.move(id);
    } finally {
      await mover.finished();
    }
    const rest = mover.unfinished === 0 ? '' : `; ${mover.unfinished} former folders are still read, the server removes them later`;
    return `${mover.moved} repositories are on the volume ${values.to}${rest}`;
  },
);

/** The name may be given without an option, as in `copse repository move alice/demo --to fast`. */
const move: Command = {
  summary: moveTask.summary,
  run: ([first = '--help', ...rest], terminal) =>
    moveTask.run(first.startsWith('-') ? [first, ...rest] : ['--repository', first, ...rest], terminal),
};

const volumes = task('copse repository volumes', 'Shows the volumes of repositories.', {}, async (context) =>
  (await listVolumes(context)).map(describe).join('\n'),
);

/** `copse repository`. */
export const repository = words('copse repository', 'Shows the volumes of repositories, and moves repositories between them.', {
  move,
  volumes,
});

/** The ids of the repositories to move, without those that were moved along with another one. */
async function* idsOf({ db }: Context, values: { repository: string | undefined; 'all-from': string | undefined }): AsyncGenerator<number> {
  if (values['all-from'] === undefined) {
    yield await idOf(db, values.repository ?? '');
    return;
  }
  for (let after = 0; ; ) {
    const row = await db
      .selectFrom('repositories')
      .select('id')
      .where('volume', '=', values['all-from'])
      .where('id', '>', after)
      .where('state', '=', 'ready')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return;
    yield row.id;
    after = row.id;
  }
}

async function idOf(db: Context['db'], repository: string): Promise<number> {
  const [owner = '', name = '', ...rest] = repository.toLowerCase().split('/');
  const row = await db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select('repositories.id')
    .where('users.lower_name', '=', owner)
    .where('repositories.lower_name', '=', name)
    .executeTakeFirst();
  if (!row || rest.length > 0) throw new UsageError(`there is no repository ${repository}`);
  return row.id;
}

function progress(terminal: Terminal): (member: { id: number }, copied: { files: number; bytes: number }) => void {
  let printed = performance.now();
  return ({ id }, { files, bytes }) => {
    if (performance.now() - printed < PROGRESS_STEP) return;
    printed = performance.now();
    terminal.out(`repository ${id}: ${files} files, ${Math.floor(bytes / 2 ** 20)} MiB copied\n`);
  };
}

function describe({ name, path, isClosed, freeBytes, repositories, arriving }: VolumeStatus): string {
  const free = freeBytes === undefined ? 'not available' : `${(freeBytes / 2 ** 30).toFixed(1)} GiB free`;
  const parts = [
    `${name} at ${path}`,
    free,
    `${repositories} repositories`,
    isClosed && 'closed for new ones',
    arriving > 0 && `${arriving} arriving`,
  ];
  return parts.filter(Boolean).join(', ');
}
