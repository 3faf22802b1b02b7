import type { Catalogue } from '../en/catalogue.ts';
import { code } from './code.ts';
import { common } from './common.ts';
import { people } from './people.ts';
import { repository } from './repository.ts';

/** All texts of the pages in German. */
export const de: Catalogue = { code, common, people, repository };
