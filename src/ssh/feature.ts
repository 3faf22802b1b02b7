import { type Feature, feature } from '../feature.ts';
import type { SshCommand } from '../ssh-command.ts';
import { infoRoutes } from './info.ts';
import { startSsh } from './start.ts';

/** @param commands the commands of features beside those of git, by name; known once all features are loaded */
export function ssh(commands: () => ReadonlyMap<string, SshCommand>): Feature {
  return feature({ name: 'ssh', routes: infoRoutes, listen: (services) => startSsh(services, commands()) });
}
