import { code } from './code.ts';
import { commits } from './commits.ts';
import { common } from './common.ts';
import { diff } from './diff.ts';
import { people } from './people.ts';
import { repository } from './repository.ts';
import { settings } from './settings.ts';

/** All texts of the pages in English, by part. The other languages have the same shape. */
export const en = { code, commits, common, diff, people, repository, settings };

/** The texts of the pages in one language. */
export type Catalogue = typeof en;
