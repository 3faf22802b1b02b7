import { runTask } from '../../admin/cron/run.ts';
import { type Context, inTransaction } from '../../context.ts';
import { PACKAGE_TYPES } from '../../database/tables/package-types.ts';
import type { AnyRoute } from '../../http/route.ts';
import { typeOf } from '../../packages/api/load.ts';
import { blobTotals } from '../../packages/blobs/totals.ts';
import { INSTANCE_SORTS, type InstanceSort, type InstanceVersion, listInstanceVersions } from '../../packages/registry/everywhere.ts';
import { postForm } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { bytes, timeAgo } from '../components/numbers.ts';
import { withParameter } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { packagePath, packagesOn, packagesPath } from '../packages/load.ts';
import { notice, seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path, type View } from '../view.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, adminDocument, type SortedHead, searchForm, table } from './frame.ts';

const MAX_SEARCH = 200;
const ROOT = ADMIN_PATHS.packages;

/** The packages of all owners, and the cleanup of unreferenced data. */
export const packageListPages: readonly AnyRoute[] = [
  ...plainPage({ path: `/${ROOT}`, when: packagesOn, needs: ADMIN_NEEDS, semaphore: 'searches', get: packages }),
  ...plainPage({
    path: `/${ROOT}/cleanup`,
    when: packagesOn,
    needs: ADMIN_NEEDS,
    post: async (_, context) => {
      // The audit entry is written before anything is deleted, as for tasks of the monitor.
      await inTransaction(context, async () => {});
      await runTask(context, 'cleanup_packages');
      return seeOther(context, `${ROOT}?cleaned=1`);
    },
  }),
];

async function packages(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { admin: text, packages: shared, owners } = view.text;
  const q = (fields.get('q') ?? '').trim().slice(0, MAX_SEARCH);
  const type = typeOf(fields.get('type')) ?? 'all';
  const page = requestedPage(visit, context.settings);
  const sort = (Object.keys(INSTANCE_SORTS) as InstanceSort[]).find((name) => name === fields.get('sort')) ?? 'created_desc';
  const search = { nameContains: q, ...(type !== 'all' && { type }) };
  const { versions, total } = await listInstanceVersions(context.db, search, { ...page, sort });
  const { used, unused } = await blobTotals(context.db);
  const options = [['', shared.allTypes] as const, ...PACKAGE_TYPES.map((name) => [name, name] as const)];
  const choice = html`<select name="type" aria-label="${shared.type}">${options.map(
    ([value, label]) => html`<option value="${value}"${value === (type === 'all' ? '' : type) && html` selected`}>${label}</option>`,
  )}</select>${sort !== 'created_desc' && html`<input type="hidden" name="sort" value="${sort}">`}`;
  const head = (column: SortColumn, label: string) => sortHead(view, sort, column, label);
  const heads = [
    head('name', shared.name),
    shared.type,
    text.packageOwner,
    head('version', owners.version),
    text.size,
    head('created', shared.published),
    shared.danger,
  ];
  const rows = table(
    text.pages.packages,
    heads,
    versions.map((version) => row(view, version)),
  );
  const empty = q === '' && type === 'all' ? `${shared.none}. ${shared.noneHint}` : shared.noneFound;
  const body = html`<p class="muted">${text.packageTotals(total, bytes(view, used), bytes(view, unused))}</p>${searchForm(view, 'packages', q, choice)}${listOrEmpty(visit, page, { total, rows, empty })}
<section aria-labelledby="cleanup"><h2 id="cleanup">${text.packageCleanup}</h2>${fields.get('cleaned') === '1' && notice(text.packagesCleaned)}<p>${text.packageCleanupHint}</p>
${postForm(view, html`<button>${text.cleanUpNow}</button>`, { action: path(view, `${ROOT}/cleanup`) })}</section>`;
  return adminDocument(view, context, { current: 'packages', body });
}

type SortColumn = 'created' | 'name' | 'version';

/** Another click on the column that the list is sorted by reverses the order. */
function sortHead(view: View, sort: InstanceSort, column: SortColumn, label: string): SortedHead {
  const direction = sort === `${column}_asc` ? 'asc' : sort === `${column}_desc` ? 'desc' : undefined;
  const next = direction === 'asc' || (direction === undefined && column === 'created') ? 'desc' : 'asc';
  return { label, direction, href: withParameter(view, 'sort', `${column}_${next}`) };
}

function row(view: View, one: InstanceVersion): Html {
  const { danger } = view.text.packages;
  const owner = { name: one.owner };
  const version = packagePath(view, owner, one, encodeURIComponent(one.version));
  return html`<tr><td><a href="${version}">${one.name}</a></td><td>${one.type}</td><td><a href="${packagesPath(view, owner)}">${one.owner}</a></td>
<td>${one.version}</td><td>${bytes(view, one.size)}</td><td>${timeAgo(view, one.created_at)}</td>
<td><a href="${version}/settings#danger" aria-label="${danger}: ${one.name} ${one.version}">${danger}</a></td></tr>`;
}
