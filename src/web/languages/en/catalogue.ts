import { actions } from './actions.ts';
import { admin } from './admin.ts';
import { blame } from './blame.ts';
import { code } from './code.ts';
import { commits } from './commits.ts';
import { common } from './common.ts';
import { composer } from './composer.ts';
import { diff } from './diff.ts';
import { firstRun } from './firstRun.ts';
import { issues } from './issues.ts';
import { manage } from './manage.ts';
import { packages } from './packages.ts';
import { people } from './people.ts';
import { pulls } from './pulls.ts';
import { refs } from './refs.ts';
import { repository } from './repository.ts';
import { settings } from './settings.ts';
import { timeline } from './timeline.ts';
import { wiki } from './wiki.ts';

/** All texts of the pages in English, by part. The other languages have the same shape. */
export const en = {
  actions,
  admin,
  blame,
  code,
  commits,
  common,
  composer,
  diff,
  firstRun,
  issues,
  manage,
  packages,
  people,
  pulls,
  refs,
  repository,
  settings,
  timeline,
  wiki,
};

/** The texts of the pages in one language. */
export type Catalogue = typeof en;
