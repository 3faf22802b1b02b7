import { access } from './access/feature.ts';
import { accounts } from './accounts/feature.ts';
import { actions } from './actions/feature.ts';
import { activity } from './activity/feature.ts';
import { admin } from './admin/feature.ts';
import { audit } from './audit/feature.ts';
import { backup } from './backup/feature.ts';
import { code } from './code/feature.ts';
import type { Feature } from './feature.ts';
import { federation } from './federation/feature.ts';
import type { AnyRoute } from './http/route.ts';
import { description } from './instance/description/feature.ts';
import { instance } from './instance/feature.ts';
import { issues } from './issues/feature.ts';
import { lfs } from './lfs/feature.ts';
import { mail } from './mail/feature.ts';
import { migrations } from './migrations/feature.ts';
import { mirrors } from './mirrors/feature.ts';
import { monitoring } from './monitoring/feature.ts';
import { notifications } from './notifications/feature.ts';
import { organizations } from './organizations/feature.ts';
import { packages } from './packages/feature.ts';
import { projects } from './projects/feature.ts';
import { pulls } from './pulls/feature.ts';
import { releases } from './releases/feature.ts';
import { markup } from './rendering/feature.ts';
import { repositories } from './repositories/feature.ts';
import { search } from './search/feature.ts';
import { ssh } from './ssh/feature.ts';
import type { SshCommand } from './ssh-command.ts';
import { transport } from './transport/feature.ts';
import { web } from './web/feature.ts';
import { webhooks } from './webhooks/feature.ts';
import { wiki } from './wiki/feature.ts';

/**
 * What the server consists of. A feature may import those before it; it reaches later ones by events, or by what they provide. Their
 * `within` handlers run in this order.
 */
export const features: readonly Feature[] = [
  access,
  description(() => allRoutes),
  instance,
  mail,
  accounts,
  federation,
  organizations,
  repositories,
  admin,
  audit,
  code,
  search,
  transport,
  ssh(() => sshCommands),
  lfs,
  issues,
  markup,
  pulls,
  projects,
  releases,
  wiki,
  mirrors,
  packages,
  actions,
  migrations,
  activity,
  notifications,
  webhooks,
  web,
  backup,
  monitoring,
];

/** Every route of the server, feature by feature. */
export const allRoutes: readonly AnyRoute[] = features.flatMap(({ routes = [] }) => routes);

/** What can be run over SSH beside git. */
const sshCommands: ReadonlyMap<string, SshCommand> = new Map(features.flatMap(({ sshCommands = {} }) => Object.entries(sshCommands)));
