import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getGitignoreTemplate, joinGitignores, listGitignoreTemplates } from '../../../src/instance/templates/gitignores.ts';
import { UnknownTemplateError } from '../../../src/instance/templates/unknown-template.ts';

describe('ignore-file templates', () => {
  it('are listed once each, sorted, from all folders of the source', () => {
    const names = listGitignoreTemplates();
    assert.deepEqual(names, [...new Set(names)].sort());
    for (const name of ['C++', 'Go', 'Java', 'Node', 'Python', 'Rust', 'VisualStudio', 'VisualStudioCode', 'Hugo']) {
      assert.ok(names.includes(name), name);
    }
  });

  it('can all be read, also those that are links at the source', () => {
    for (const name of listGitignoreTemplates()) assert.ok(getGitignoreTemplate(name), name);
    assert.equal(getGitignoreTemplate('Octave'), getGitignoreTemplate('MATLAB'));
  });

  it('have the lines that their users expect', () => {
    for (const [name, line] of [
      ['Go', '*.test'],
      ['Node', 'node_modules/'],
      ['C++', '*.o'],
      ['VisualStudioCode', '!.vscode/settings.json'],
    ] as const) {
      assert.ok(getGitignoreTemplate(name)?.split('\n').includes(line), name);
    }
  });

  it('are found by their exact name only, which never becomes another path', () => {
    for (const name of [
      'go',
      'Nothing',
      '',
      '.',
      '../licenses',
      'LICENSE',
      'README.md',
      'Go.gitignore',
      './Go',
      'C%2B%2B',
      'constructor',
    ]) {
      assert.equal(getGitignoreTemplate(name), undefined, name);
    }
  });
});

describe('joining ignore files', () => {
  it('puts each under its name, in the order asked', () => {
    const [go, node] = [getGitignoreTemplate('Go'), getGitignoreTemplate('Node')];
    assert.equal(joinGitignores('Node,Go'), `# ---> Node\n${node}\n# ---> Go\n${go}\n`);
  });

  it('passes over spaces and empty names, and takes a repeated name once, so that its size is bounded', () => {
    assert.equal(joinGitignores(' Go , ,Node,'), joinGitignores('Go,Node'));
    assert.equal(joinGitignores('Go,'.repeat(10_000)), joinGitignores('Go'));
    assert.equal(joinGitignores(''), '');
  });

  it('refuses an unknown name', () => {
    assert.throws(
      () => joinGitignores('Go,Nothing'),
      (error) => error instanceof UnknownTemplateError && error.kind === 'gitignore' && error.template === 'Nothing',
    );
  });
});
