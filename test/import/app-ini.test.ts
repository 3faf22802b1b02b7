// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readGiteaSettings } from '../../src/import/gitea/config/app-ini.ts';
import { parseIni } from '../../src/import/gitea/config/ini.ts';
import { ImportError } from '../../src/import/gitea/error.ts';
import { afterwards } from '../support/afterwards.ts';

const folder = mkdtempSync(join(tmpdir(), 'copse-ini-'));
afterwards(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'data'));
writeFileSync(join(folder, 'data/gitea.db'), '');

const settingsOf = (text: string) => {
  const file = join(folder, 'app.ini');
  writeFileSync(file, `WORK_PATH = ${folder}\n[database]\nDB_TYPE = sqlite3\n${text}`);
  return readGiteaSettings(file);
};

describe('an INI file', () => {
  it('is read with the rules of Go', () => {
    const ini = parseIni(
      [
        '\ufeffAPP = one ; a comment',
        '# a comment',
        '[a]',
        'equals = x=y',
        'colon: value',
        'empty =',
        'quoted = "with # and ;"',
        "single = 'x'",
        'cut = before # after',
        'raw = `a # b; c`',
        'lines = """first',
        'second"""',
        'path = %(base)s/b/%(missing)s',
        'base = /data',
        '"key = odd" = 1',
        '[a.b]',
        'own = 1',
      ].join('\r\n'),
    );
    const value = (key: string) => ini.get('a', key);
    assert.equal(ini.get('', 'APP'), 'one');
    assert.equal(value('equals'), 'x=y');
    assert.equal(value('colon'), 'value');
    assert.equal(value('empty'), '');
    assert.equal(value('quoted'), '"with');
    assert.equal(value('single'), 'x');
    assert.equal(value('cut'), 'before');
    assert.equal(value('raw'), 'a # b; c');
    assert.equal(value('lines'), 'first\nsecond');
    assert.equal(value('path'), '/data/b/%(missing)s');
    assert.equal(value('key = odd'), '1');
    assert.equal(ini.get('a.b', 'colon'), 'value');
    assert.equal(ini.getOwn('a.b', 'colon'), '');
    assert.equal(ini.get('constructor', 'toString'), '');
  });

  it('is refused where it is none, with the line', () => {
    assert.throws(() => parseIni('a = 1\n[open'), /line 2: the section has no closing bracket/);
    assert.throws(() => parseIni('no value'), /line 1: there is no = after the key/);
    assert.throws(() => parseIni('a = """x\ny'), /line 1: the value has no closing """/);
    assert.equal(parseIni('a = %(b)s\nb = %(a)s').get('', 'a').length > 0, true);
  });
});

describe('the settings of a Gitea', () => {
  it('have the defaults of Gitea, below the work path', () => {
    const { database, repositories, storages, secretKey } = settingsOf('');
    assert.deepEqual(database, { type: 'sqlite', file: join(folder, 'data/gitea.db') });
    assert.equal(repositories, join(folder, 'data/gitea-repositories'));
    assert.deepEqual(storages, {
      attachments: join(folder, 'data/attachments'),
      avatars: join(folder, 'data/avatars'),
      repoAvatars: join(folder, 'data/repo-avatars'),
      lfs: join(folder, 'data/lfs'),
      packages: join(folder, 'data/packages'),
      actionsLog: join(folder, 'data/actions_log'),
      actionsArtifacts: join(folder, 'data/actions_artifacts'),
    });
    assert.equal(secretKey, '!#@FDEWREWR&*(');
  });

  it('follow what the file says', () => {
    const text =
      '[server]\nLFS_CONTENT_PATH = big\n[storage]\nPATH = /s\n[storage.attachments]\nPATH = /att\n[picture]\nAVATAR_UPLOAD_PATH = /av\n[storage.actions_log]\nPATH = /logs\n[actions.artifacts]\nPATH = /runs';
    assert.deepEqual(settingsOf(text).storages, {
      attachments: '/att',
      avatars: '/av',
      repoAvatars: '/s/repo-avatars',
      lfs: join(folder, 'big'),
      packages: '/s/packages',
      actionsLog: '/logs',
      actionsArtifacts: '/runs',
    });
    writeFileSync(join(folder, 'key'), 'of a file\n');
    assert.equal(settingsOf('[security]\nSECRET_KEY_URI = file:key').secretKey, 'of a file');
    const file = join(folder, 'app.ini');
    writeFileSync(
      file,
      '[database]\nDB_TYPE = postgres\nHOST = [::1]:5433\nNAME = g\nUSER = u\nPASSWD = `p#w`\n[server]\nAPP_DATA_PATH = /d',
    );
    const { database } = readGiteaSettings(file);
    const expected = { host: '::1', port: 5433, name: 'g', user: 'u', password: 'p#w', sslMode: 'disable', schema: 'public' };
    assert.deepEqual(database, { type: 'postgres', ...expected });
  });

  it('are refused where something is not supported or missing', () => {
    const refuses = (text: string, message: RegExp) =>
      assert.throws(
        () => settingsOf(text),
        (error) => error instanceof ImportError && message.test(error.message),
      );
    refuses('[storage]\nSTORAGE_TYPE = minio', /attachments are in a storage of the type minio/);
    refuses('[lfs]\nSTORAGE_TYPE = far\n[storage.far]\nSTORAGE_TYPE = azureblob', /lfs are in a storage of the type azureblob/);
    refuses('DB_TYPE = mysql', /the database is of the type mysql/);
    refuses('PATH = missing.db', /there is no database at/);
    const file = join(folder, 'other.ini');
    writeFileSync(file, '[database]\nDB_TYPE = sqlite3');
    assert.throws(() => readGiteaSettings(file), /relative path data: set --work-path/);
    assert.throws(() => readGiteaSettings(join(folder, 'none.ini')), /cannot be read/);
  });
});
