import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { allRoutes } from '../../../src/features.ts';
import { describe as describeRoutes } from '../../../src/http/description/description.ts';
import { goName } from '../../../src/http/validation.ts';
import { OTHER_STATUSES } from '../other-statuses.ts';

/** The description of the reference implementation, where the checkout has it beside it. */
const REFERENCE = new URL('../../../shared/reference/swagger.v1.json', import.meta.url);

interface Parameter {
  name: string;
  in: string;
  type?: string;
  required?: boolean;
  enum?: string[];
  schema?: { $ref?: string };
}
interface DescribedResponse {
  $ref?: string;
  schema?: Property;
}
interface Operation {
  operationId: string;
  security?: unknown[];
  produces?: string[];
  responses: Record<string, DescribedResponse>;
  tags: string[];
  parameters?: Parameter[];
}
interface Property {
  type?: string;
  format?: string;
  $ref?: string;
  items?: Property;
  enum?: unknown[];
  additionalProperties?: Property;
  'x-go-name'?: string;
  'x-nullable'?: boolean;
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  definitions: Record<string, Property & { properties?: Record<string, Property>; required?: string[] }>;
  responses: Record<string, DescribedResponse>;
}

const ours = JSON.parse(JSON.stringify(describeRoutes(allRoutes, { version: '1.26.3', rootUrl: 'http://localhost:3000/' }))) as Description;

/** Where the reference says what neither of the two answers, and why ours says something else. */
const CORRECTED: Record<string, string> = {
  'CommitUser.email': 'a commit may have any text for an address',
  'PayloadUser.email': 'a commit may have any text for an address',
  'User.email': 'an organization without an address has an empty one',
  'NotificationSubject.state': 'what has no state has an empty one',
};

/** The operations of a description by their ids. */
const operations = (description: Description) =>
  new Map(
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { path, method, ...operation }] as const),
    ),
  );

function parameterWords({ name, in: place, type, required, enum: values, schema }: Parameter): string {
  return JSON.stringify([place, name, type ?? schema?.$ref ?? '', required ?? false, values ? [...values].sort() : null]);
}

function propertyWords(property: Property): unknown {
  const { type, format, $ref, items, enum: values, additionalProperties } = property;
  return [
    type,
    format,
    $ref,
    items && propertyWords(items),
    values && [...values].sort(),
    additionalProperties && propertyWords(additionalProperties),
  ];
}

describe('the API description', () => {
  it('has each operation id once', () => {
    const ids = Object.values(ours.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });

  it('has no two fields of a definition under one name of Go, which would not compile', () => {
    const faults = Object.entries(ours.definitions).flatMap(([name, { properties = {} }]) => {
      const goNames = Object.entries(properties).map(([field, property]) => property['x-go-name'] ?? goName(field));
      return goNames.filter((one, index) => goNames.indexOf(one) !== index).map((one) => `${name}.${one}`);
    });
    assert.deepEqual(faults, []);
  });

  it('names the scheme of the instance first, and the path of the API', () => {
    const at = (rootUrl: string) => describeRoutes(allRoutes, { version: '1.26.3', rootUrl });
    const [plain, secure] = [at('http://localhost:3000/'), at('https://example.com/code/')];
    assert.deepEqual([plain.schemes, plain.basePath], [['http', 'https'], '/api/v1']);
    assert.deepEqual([secure.schemes, secure.basePath], [['https', 'http'], '/code/api/v1']);
  });

  it('says which operations need no credentials', () => {
    const security = (id: string) => operations(ours).get(id)?.security;
    assert.deepEqual(security('repoGet')?.[0], {});
    assert.equal(security('repoDelete'), undefined);
  });

  it('says of each operation what may come back, errors included', () => {
    const all = operations(ours);
    const statuses = (id: string) => Object.keys(all.get(id)?.responses ?? {}).join(' ');
    assert.equal(statuses('getVersion'), '200 401 403 404 414 422 429 503');
    assert.equal(statuses('repoCreateTag'), '201 301 307 401 403 404 409 413 414 422 423 429 503 507');
    assert.deepEqual(all.get('renderMarkdown')?.responses[200]?.schema, { type: 'string' });
    assert.deepEqual(all.get('repoGet')?.produces, ['application/json', 'text/html']);
    assert.equal(all.get('repoDelete')?.produces, undefined);
    // Both are unknown paths where an instance has them switched off.
    for (const id of ['getNodeInfo', 'activitypubPersonByName']) assert.ok(all.get(id)?.produces?.includes('text/plain'), id);
    assert.deepEqual(all.get('repoGet')?.responses[404], { $ref: '#/responses/notFound' });
    assert.deepEqual(ours.responses.notFound?.schema, { $ref: '#/definitions/APINotFound' });
    assert.equal(ours.definitions.Issue?.properties?.milestone?.['x-nullable'], true);
    assert.deepEqual(Object.keys(ours.definitions.ServerVersion?.properties ?? {}), ['version']);
  });

  it('has each status of the reference, except for known differences', {
    skip: !existsSync(REFERENCE) && 'it is not beside this checkout',
  }, () => {
    const all = operations(ours);
    const faults = [...operations(JSON.parse(readFileSync(REFERENCE, 'utf8')))].flatMap(([id, { responses }]) => {
      const own = all.get(id)?.responses ?? responses;
      return Object.keys(responses).flatMap((status) => (status in own || `${id} ${status}` in OTHER_STATUSES ? [] : [`${id} ${status}`]));
    });
    assert.deepEqual(faults, []);
  });

  it('defines every shape that it names', () => {
    const named = [...JSON.stringify(ours).matchAll(/"#\/definitions\/(\w+)"/g)].map((match) => match[1] ?? '');
    assert.deepEqual(
      [...new Set(named)].filter((name) => !(name in ours.definitions)),
      [],
    );
  });
});

describe('compared with the reference', { skip: !existsSync(REFERENCE) && 'its description is not beside this checkout' }, () => {
  const reference: Description = existsSync(REFERENCE) ? JSON.parse(readFileSync(REFERENCE, 'utf8')) : { paths: {}, definitions: {} };
  const theirs = operations(reference);

  it('each operation has the same path, tag and parameters', () => {
    const faults: string[] = [];
    for (const [id, operation] of operations(ours)) {
      const other = theirs.get(id);
      if (!other) continue;
      if (operation.path !== other.path || operation.method !== other.method)
        faults.push(`${id}: ${operation.method} ${operation.path} is ${other.method} ${other.path}`);
      if (operation.tags[0] !== other.tags[0]) faults.push(`${id}: tag ${operation.tags[0]} is ${other.tags[0]}`);
      const words = new Set((operation.parameters ?? []).map(parameterWords));
      for (const parameter of other.parameters ?? [])
        if (!words.has(parameterWords(parameter))) faults.push(`${id}: lacks ${parameterWords(parameter)}`);
    }
    assert.deepEqual(faults, []);
  });

  it('each path of the reference is served under its operation id', () => {
    const faults: string[] = [];
    for (const [id, { path, method }] of operations(ours)) {
      const other = reference.paths[path]?.[method];
      if (other && other.operationId !== id) faults.push(`${method} ${path} is ${id}, not ${other.operationId}`);
    }
    assert.deepEqual(faults, []);
  });

  it('each definition has the same fields', () => {
    const faults: string[] = [];
    for (const [name, definition] of Object.entries(ours.definitions)) {
      const other = reference.definitions[name];
      if (!other) continue;
      for (const [field, property] of Object.entries(other.properties ?? {})) {
        const own = definition.properties?.[field];
        const [wanted, got] = [JSON.stringify(propertyWords(property)), own && JSON.stringify(propertyWords(own))];
        if (got !== wanted && !(`${name}.${field}` in CORRECTED))
          faults.push(`${name}.${field}: ${got ?? 'missing'}, the reference has ${wanted}`);
      }
      const [wanted, got] = [[...(other.required ?? [])].sort(), [...(definition.required ?? [])].sort()];
      if (String(wanted) !== String(got)) faults.push(`${name}: required ${got}, the reference has ${wanted}`);
    }
    assert.deepEqual(faults, []);
  });
});
