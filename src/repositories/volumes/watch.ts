import type { Services } from '../../context.ts';

/** Looks at the volumes of repositories from now on, and logs when one went away or came back. */
export function watchVolumes({ git, log }: Pick<Services, 'git' | 'log'>): void {
  git.volumes.watch(({ name, path, isAvailable }) => {
    if (isAvailable) log.warn({ volume: name, path }, 'a volume of repositories is back');
    else log.error({ volume: name, path }, 'a volume of repositories is away: requests for its repositories are refused');
  });
}
