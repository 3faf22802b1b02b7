import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeLabelTemplates,
  getLabelTemplate,
  labelsFromTemplate,
  listLabelTemplates,
} from '../../../src/instance/templates/labels.ts';
import { UnknownTemplateError } from '../../../src/instance/templates/unknown-template.ts';

describe('label templates', () => {
  it('are listed and described', () => {
    assert.deepEqual(listLabelTemplates(), ['Advanced', 'Default']);
    assert.deepEqual(describeLabelTemplates()[1], {
      name: 'Default',
      description: 'bug, duplicate, enhancement, help wanted, invalid, question, wontfix',
    });
  });

  it('hold labels that can be created: unique names, plain colors', () => {
    for (const name of listLabelTemplates()) {
      const labels = labelsFromTemplate(name);
      assert.equal(new Set(labels.map((label) => label.name)).size, labels.length);
      for (const label of labels) {
        assert.match(label.color, /^[0-9a-f]{6}$/, label.name);
        assert.ok(label.description, label.name);
        if (label.exclusive) assert.ok(label.name.includes('/') && label.exclusiveOrder > 0, label.name);
        else assert.equal(label.exclusiveOrder, 0, label.name);
      }
    }
  });

  it('keep their labels in the order of the API', () => {
    assert.deepEqual(getLabelTemplate('Default')?.[3], {
      name: 'help wanted',
      color: '128a0c',
      description: 'Need some help',
      exclusive: false,
      exclusiveOrder: 0,
    });
    const scopes = labelsFromTemplate('Advanced').map(({ name, exclusive }) => `${name.split('/')[0]} ${exclusive}`);
    assert.deepEqual([...new Set(scopes)], ['Kind false', 'Compat false', 'Reviewed true', 'Status true', 'Priority true']);
    assert.equal(scopes.length, 18);
  });

  it('refuse an unknown name with the error message of the API', () => {
    assert.equal(getLabelTemplate('default'), undefined);
    assert.throws(
      () => labelsFromTemplate('Nothing'),
      (error) =>
        error instanceof UnknownTemplateError &&
        error.kind === 'label' &&
        error.message === 'failed to load label template file "Nothing": label template "Nothing" not found',
    );
  });
});
