import type { Visibility } from '../../database/tables/accounts.ts';
import { unprocessable } from '../../http/errors.ts';
import type { UserSearch, UserSort } from '../users/search.ts';

/** The query parameters of the administrator's list of users, unparsed. */
export interface UserQuery {
  source_id?: number;
  login_name?: string;
  sort?: string;
  order?: string;
  q?: string;
  visibility?: string;
  is_active?: boolean;
  is_admin?: boolean;
  is_restricted?: boolean;
  is_2fa_enabled?: boolean;
  is_prohibit_login?: boolean;
}

const SORTS: readonly string[] = ['name', 'created', 'updated', 'id'] satisfies UserSort[];
const VISIBILITIES: readonly string[] = ['public', 'limited', 'private'] satisfies Visibility[];

/** @throws HttpError 422 for a sort, order or visibility that does not exist */
export function readUserQuery(query: UserQuery): UserSearch {
  const { sort, order = '', visibility, q = '', login_name: loginName = '', source_id: sourceId = 0 } = query;
  if (sort) {
    if (!['', 'asc', 'desc'].includes(order)) throw unprocessable(`Invalid sort order: "${order}"`);
    if (!SORTS.includes(sort)) throw unprocessable(`Invalid sort mode: "${sort}"`);
  }
  if (visibility && !VISIBILITIES.includes(visibility)) throw unprocessable(`Invalid visibility: "${visibility}"`);
  return {
    keyword: q.trim(),
    loginName: loginName.trim(),
    ...(sourceId > 0 && { sourceId }),
    ...(sort && { sort: sort as UserSort, descending: order === 'desc' }),
    ...(visibility && { visibility: visibility as Visibility }),
    ...(query.is_active !== undefined && { isActive: query.is_active }),
    ...(query.is_admin !== undefined && { isAdmin: query.is_admin }),
    ...(query.is_restricted !== undefined && { isRestricted: query.is_restricted }),
    ...(query.is_2fa_enabled !== undefined && { hasTwoFactor: query.is_2fa_enabled }),
    ...(query.is_prohibit_login !== undefined && { prohibitLogin: query.is_prohibit_login }),
  };
}
