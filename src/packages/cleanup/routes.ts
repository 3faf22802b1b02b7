import { signedIn } from '../../access/requirements.ts';
import type { PackageCleanupRuleRow } from '../../database/tables/packages.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref, type Shape, wireTime } from '../../http/schema.ts';
import type { Settings } from '../../settings.ts';
import { ownsPackages, packageOwnerRoute } from '../api/load.ts';
import { presentVersions } from '../api/present.ts';
import { Package } from '../api/schema.ts';
import { createRule, deleteRule, editRule, findRule, listRules } from './rules.ts';
import { type ExemptVersions, versionsToRemove } from './run.ts';
import { CreatePackageCleanupRuleOption, EditPackageCleanupRuleOption, PackageCleanupRule } from './schema.ts';

const RULES = '/packages/:owner/cleanup-rules';
const RULE = `${RULES}/:id` as const;
const common = { scope: 'package', when: ({ packages }: Settings) => packages.enabled, needs: [signedIn, ownsPackages] } as const;
const parameters = { id: { type: 'integer', format: 'int64', description: 'id of the rule' } } as const;

/** Cleanup rules of an owner's packages, and what they would delete. */
export function cleanupRoutes(formats: ExemptVersions): readonly AnyRoute[] {
  return [
    packageOwnerRoute({
      ...common,
      method: 'GET',
      path: RULES,
      id: 'listPackageCleanupRules',
      summary: 'Lists the cleanup rules of an owner',
      responses: { 200: array(ref(PackageCleanupRule)) },
      handle: async ({ user }, context) => {
        const rules = await listRules(context, user);
        return listed(rules.map(present), rules.length);
      },
    }),
    packageOwnerRoute({
      ...common,
      method: 'POST',
      path: RULES,
      id: 'createPackageCleanupRule',
      summary: 'Creates a cleanup rule; there is at most one for each type',
      body: CreatePackageCleanupRuleOption,
      responses: { 201: PackageCleanupRule },
      also: [409],
      handle: async ({ user, body: { type, ...terms } }, context) => present(await createRule(context, user, type, given(terms))),
    }),
    packageOwnerRoute({
      ...common,
      method: 'GET',
      path: RULE,
      parameters,
      id: 'getPackageCleanupRule',
      summary: 'Gets a cleanup rule',
      responses: { 200: PackageCleanupRule },
      handle: async ({ user, params }, context) => present(await findRule(context, user, Number(params.id))),
    }),
    packageOwnerRoute({
      ...common,
      method: 'PATCH',
      path: RULE,
      parameters,
      id: 'editPackageCleanupRule',
      summary: 'Changes a cleanup rule',
      body: EditPackageCleanupRuleOption,
      responses: { 200: PackageCleanupRule },
      handle: async ({ user, params, body }, context) => present(await editRule(context, user, Number(params.id), given(body))),
    }),
    packageOwnerRoute({
      ...common,
      method: 'DELETE',
      path: RULE,
      parameters,
      id: 'deletePackageCleanupRule',
      summary: 'Deletes a cleanup rule',
      responses: { 204: null },
      handle: async ({ user, params }, context) => {
        await deleteRule(context, user, Number(params.id));
        return empty(204);
      },
    }),
    packageOwnerRoute({
      ...common,
      method: 'GET',
      path: `${RULE}/preview`,
      parameters,
      id: 'previewPackageCleanupRule',
      summary: 'Lists the versions that a cleanup rule would delete now, whether it is enabled or not',
      semaphore: 'searches',
      query: pageQuery,
      responses: { 200: array(ref(Package)) },
      handle: async ({ user, params, query, request }, context) => {
        const page = pageOf(context, query);
        const versions = await Array.fromAsync(versionsToRemove(context, formats, await findRule(context, user, Number(params.id))));
        const shown = versions.slice(page.offset, page.offset + page.limit);
        return listed(await presentVersions(context, user, shown), versions.length, { url: request.url, ...page });
      },
    }),
  ];
}

/** The terms that a body has. */
function given<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never;
}

function present({
  owner_id: _,
  created_at: created,
  updated_at: updated,
  ...rule
}: PackageCleanupRuleRow): Shape<typeof PackageCleanupRule> {
  return { ...rule, created_at: wireTime(created), updated_at: wireTime(updated) };
}
