import { avatarUrl } from '../accounts/users/present.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Shape } from '../http/schema.ts';
import type { Organization } from './schema.ts';

/** An organization on the wire. */
export function presentOrganization(context: Context, organization: User): Shape<typeof Organization> {
  return {
    id: organization.id,
    name: organization.name,
    full_name: organization.full_name,
    email: organization.email,
    avatar_url: avatarUrl(context, organization),
    description: organization.description,
    website: organization.website,
    location: organization.location,
    visibility: organization.visibility,
    repo_admin_change_team_access: organization.repo_admin_change_team_access,
    username: organization.name,
  };
}
