import { signedIn, unitOn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { readsPackages, writesPackages } from '../../packages/api/load.ts';
import { repositoryPage } from '../resource-pages.ts';
import { ownerPackages, repositoryPackages } from './list.ts';
import { packageOwnerPage, packagePage, packagesOn, packageVersionPage } from './load.ts';
import { changePackage, packageSettings } from './settings-page.ts';
import { downloadFile, latestVersion, versionList, versionPage } from './version-page.ts';

const PACKAGE = '/:owner/-/packages/:type/:name';
const VERSION = `${PACKAGE}/:version`;
const reading = { when: packagesOn, needs: [readsPackages] } as const;

/** Packages of owners and repositories. */
export const packagePages: readonly AnyRoute[] = [
  ...packageOwnerPage({ ...reading, path: '/:owner/-/packages', get: ownerPackages }),
  ...repositoryPage({ when: packagesOn, needs: [unitOn('packages')], path: '/:owner/:repo/packages', get: repositoryPackages }),
  ...packagePage({ ...reading, path: PACKAGE, get: latestVersion }),
  ...packagePage({ ...reading, path: `${PACKAGE}/versions`, get: versionList }),
  ...packageVersionPage({ ...reading, path: VERSION, semaphore: 'renders', get: versionPage }),
  ...packageVersionPage({ ...reading, path: `${VERSION}/files/:file`, get: downloadFile }),
  ...packageVersionPage({
    ...reading,
    needs: [signedIn, readsPackages, writesPackages],
    path: `${VERSION}/settings`,
    get: packageSettings,
    post: changePackage,
  }),
];
