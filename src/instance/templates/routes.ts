import { OBJECT_FORMATS } from '../../git/repository.ts';
import { notFound } from '../../http/errors.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { array, ref, string } from '../../http/schema.ts';
import { getGitignoreTemplate, listGitignoreTemplates } from './gitignores.ts';
import { describeLabelTemplates, getLabelTemplate, listLabelTemplates } from './labels.ts';
import { getLicense, listLicenses } from './licenses.ts';
import { listReadmeTemplates } from './readmes.ts';
import {
  DescribedTemplate,
  GitignoreTemplateInfo,
  LabelTemplateList,
  LicensesTemplateListEntry,
  LicenseTemplateInfo,
  ObjectFormat,
} from './schema.ts';

const HOW_TO_APPLY = 'Put this text into a file named LICENSE at the top of the project, with the year and the holder filled in.';

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw notFound();
  return thing;
}

/** The templates that a new repository can begin with. */
export const templateRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/gitignore/templates',
    id: 'listGitignoresTemplates',
    summary: 'Lists the templates for ignore files',
    tag: 'miscellaneous',
    responses: { 200: array(string()) },
    handle: async () => listGitignoreTemplates(),
  }),
  route({
    method: 'GET',
    path: '/gitignore/templates/:name',
    id: 'getGitignoreTemplateInfo',
    summary: 'Gets a template for an ignore file',
    tag: 'miscellaneous',
    parameters: { name: { description: 'name of the template' } },
    responses: { 200: GitignoreTemplateInfo },
    handle: async ({ params: { name } }) => ({ name, source: found(getGitignoreTemplate(name)) }),
  }),
  route({
    method: 'GET',
    path: '/licenses',
    id: 'listLicenseTemplates',
    summary: 'Lists the licenses',
    tag: 'miscellaneous',
    responses: { 200: array(ref(LicensesTemplateListEntry)) },
    handle: async (_, { settings }) =>
      listLicenses(settings.repository.preferredLicenses).map((key) => ({ key, name: key, url: licenseUrl(settings.server.rootUrl, key) })),
  }),
  route({
    method: 'GET',
    path: '/licenses/:name',
    id: 'getLicenseTemplateInfo',
    summary: 'Gets a license with its text',
    tag: 'miscellaneous',
    parameters: { name: { description: 'name of the license' } },
    responses: { 200: LicenseTemplateInfo },
    handle: async ({ params: { name } }, { settings }) => ({
      key: name,
      name,
      url: licenseUrl(settings.server.rootUrl, name),
      implementation: HOW_TO_APPLY,
      body: found(getLicense(name)),
    }),
  }),
  route({
    method: 'GET',
    path: '/label/templates',
    id: 'listLabelTemplates',
    summary: 'Lists the sets of labels',
    tag: 'miscellaneous',
    responses: { 200: array(string()) },
    handle: async () => listLabelTemplates(),
  }),
  route({
    method: 'GET',
    path: '/label/templates/:name',
    id: 'getLabelTemplateInfo',
    summary: 'Gets the labels of a set',
    tag: 'miscellaneous',
    parameters: { name: { description: 'name of the set' } },
    responses: { 200: LabelTemplateList },
    handle: async ({ params: { name } }) => found(getLabelTemplate(name)),
  }),
  route({
    method: 'GET',
    path: '/label/templates2',
    id: 'listLabelTemplatesWithDescriptions',
    summary: 'Lists the sets of labels with their descriptions',
    tag: 'miscellaneous',
    responses: { 200: array(ref(DescribedTemplate)) },
    handle: async () => describeLabelTemplates(),
  }),
  route({
    method: 'GET',
    path: '/readme/templates',
    id: 'listReadmeTemplates',
    summary: 'Lists the templates for a first README',
    tag: 'miscellaneous',
    responses: { 200: array(string()) },
    handle: async () => listReadmeTemplates(),
  }),
  route({
    method: 'GET',
    path: '/object_formats',
    id: 'listObjectFormats',
    summary: 'Lists the object formats that a repository can have',
    tag: 'miscellaneous',
    responses: { 200: array(ref(ObjectFormat)) },
    handle: async () => OBJECT_FORMATS.map((name, index) => ({ name, is_default: index === 0 })),
  }),
];

function licenseUrl(rootUrl: string, key: string): string {
  return `${rootUrl}api/v1/licenses/${encodeURIComponent(key)}`;
}
