import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import { describe as describeRoutes } from '../../src/http/description.ts';

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
interface Operation {
  operationId: string;
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
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  definitions: Record<string, Property & { properties?: Record<string, Property>; required?: string[] }>;
}

const ours = JSON.parse(JSON.stringify(describeRoutes(allRoutes, '1.26.3'))) as Description;

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

describe('the interface description', () => {
  it('has each operation id once', () => {
    const ids = Object.values(ours.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
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

  it('each operation has the same address, tag and parameters', () => {
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

  it('each address of the reference is served under its operation id', () => {
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
        if (got !== wanted) faults.push(`${name}.${field}: ${got ?? 'missing'}, the reference has ${wanted}`);
      }
      const [wanted, got] = [[...(other.required ?? [])].sort(), [...(definition.required ?? [])].sort()];
      if (String(wanted) !== String(got)) faults.push(`${name}: required ${got}, the reference has ${wanted}`);
    }
    assert.deepEqual(faults, []);
  });
});
