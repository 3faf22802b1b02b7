import type { AnyRoute } from '../../http/route.ts';
import { repositorySettingsPages } from './settings/routes.ts';
import { starAndWatchPages } from './star-and-watch.ts';
import { transferPages } from './transfer.ts';

/** The parts that all pages of a repository share. */
export const repositoryPages: readonly AnyRoute[] = [...starAndWatchPages, ...transferPages, ...repositorySettingsPages];
