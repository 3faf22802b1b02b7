import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { initialFiles } from '../../../src/instance/templates/initial-files.ts';
import { listReadmeTemplates } from '../../../src/instance/templates/readmes.ts';
import { UnknownTemplateError } from '../../../src/instance/templates/unknown-template.ts';

const base = { name: 'demo', owner: 'alice', email: 'alice@example.com', year: 2031 };

describe('the first files of a repository', () => {
  it('are a README alone when no more is asked', () => {
    assert.deepEqual(initialFiles(base), [{ path: 'README.md', content: '# demo\n\n' }]);
    assert.deepEqual(initialFiles({ ...base, readme: '', gitignores: '', license: '' }), initialFiles(base));
  });

  it('are README, ignore file and license when asked', () => {
    const files = initialFiles({ ...base, readme: 'Default', gitignores: 'Go,Node', license: 'MIT' });
    assert.deepEqual(
      files.map(({ path }) => path),
      ['README.md', '.gitignore', 'LICENSE'],
    );
    assert.deepEqual(
      files[1]?.content.split('\n').filter((line) => line.startsWith('# --->')),
      ['# ---> Go', '# ---> Node'],
    );
    assert.ok(files[2]?.content.startsWith('MIT License\n\nCopyright (c) 2031 alice\n'));
  });

  it('have the description as it was written', () => {
    const readme = (description: string) => initialFiles({ ...base, description })[0]?.content;
    assert.equal(readme('Two\r\nlines & <b>marks</b>'), '# demo\n\nTwo\nlines & <b>marks</b>');
    assert.equal(readme('{Name} $& $1'), '# demo\n\n{Name} $& $1');
  });

  it('are refused when a template is not known', () => {
    const refusal = (options: { readme?: string; gitignores?: string; license?: string }) => {
      try {
        initialFiles({ ...base, ...options });
      } catch (error) {
        if (error instanceof UnknownTemplateError) return [error.kind, error.template, error.message];
        throw error;
      }
      return undefined;
    };
    assert.deepEqual(listReadmeTemplates(), ['Default']);
    assert.deepEqual(refusal({ readme: 'Nothing' }), [
      'readme',
      'Nothing',
      'readme template does not exist, available templates: [Default]',
    ]);
    assert.deepEqual(refusal({ gitignores: 'Go,go' }), ['gitignore', 'go', 'gitignore template "go" does not exist']);
    assert.deepEqual(refusal({ license: 'mit' }), ['license', 'mit', 'license template "mit" does not exist']);
  });
});
