import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggableUrl } from '../src/log/redaction.ts';
import { createLogger, type Logger } from '../src/log.ts';
import { testSettings } from './support/settings.ts';

function logged(write: (log: Logger) => void, settings: Parameters<typeof testSettings>[0] = {}): string[] {
  const lines: string[] = [];
  write(createLogger(testSettings(settings).log, { write: (line: string) => lines.push(line) }));
  return lines;
}

function record(write: (log: Logger) => void): Record<string, unknown> {
  const [line = ''] = logged(write);
  return JSON.parse(line);
}

describe('the log', () => {
  it('writes one JSON object in each line', () => {
    const [line = '', ...rest] = logged((log) => log.child({ requestId: 'r1' }).info({ user: 7 }, 'signed\nin'));
    assert.deepEqual(rest, []);
    assert.equal(line.split('\n').length, 2);
    const { time, ...fields } = JSON.parse(line);
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(fields, { level: 'info', requestId: 'r1', user: 7, msg: 'signed\nin' });
  });

  it('writes nothing below its level', () => {
    assert.equal(logged((log) => log.debug('x')).length, 0);
    assert.equal(logged((log) => log.debug('x'), { log: { level: 'debug' } }).length, 1);
    assert.equal(logged((log) => log.fatal('x'), { log: { level: 'silent' } }).length, 0);
  });

  it('takes out secret fields at any depth, in fields and in bindings', () => {
    const fields = {
      password: 'hunter2',
      headers: { Authorization: 'Basic aHVudGVyMg==', cookie: ['hunter2'], 'X-Gitea-OTP': '123456', accept: 'text/html' },
      list: [{ access_token: 'hunter2', token_id: 5 }],
      secretKey: null,
      nothing: undefined,
    };
    for (const found of [record((log) => log.info(fields)), record((log) => log.child(fields).info('x'))]) {
      assert.ok(!JSON.stringify(found).includes('hunter2'), JSON.stringify(found));
      assert.ok(!JSON.stringify(found).includes('123456'));
      assert.deepEqual(found.list, [{ access_token: '[redacted]', token_id: 5 }]);
      assert.equal((found.headers as { accept: string }).accept, 'text/html');
      assert.equal(found.secretKey, null);
    }
  });

  it('takes out credentials in text, in messages, errors and their causes', () => {
    const error = new Error('clone of https://bob:hunter2@example.com/x failed', {
      cause: new Error('GET /api/v1/user?page=1&access_token=hunter2&limit=2 with authorization: token hunter2'),
    });
    Object.assign(error, { config: { anything: 'hunter2' }, code: 'E1' });
    const found = record((log) => log.error(error, 'sent Bearer hunter2hunter2 and token=x'));
    const text = JSON.stringify(found);
    assert.ok(!text.includes('hunter2'), text);
    assert.ok(text.includes('https://[redacted]@example.com/x') && text.includes('page=1&access_token=[redacted]&limit=2'));
    assert.equal((found.err as { code: string }).code, 'E1');
    assert.ok(
      !logged((log) => log.info('https://hunter2@example.com'), { log: { format: 'text' } })
        .join()
        .includes('hunter2'),
    );
  });

  it('keeps ordinary text', () => {
    const text = 'basic authentication of bearer tokens; mail to a@example.com, http://example.com/a@b?page=2&q=token';
    assert.equal(record((log) => log.info(text)).msg, text);
  });

  it('logs only the method, IP address and path of a request', () => {
    const request = { method: 'GET', url: '/x?%74oken=hunter2&q=1', ip: '::1', headers: { authorization: 'hunter2' }, raw: {} };
    assert.deepEqual(record((log) => log.info({ req: request, res: { statusCode: 200 } })).req, {
      method: 'GET',
      url: '/x?%74oken=[redacted]&q=1',
      address: '::1',
    });
  });

  it('survives what refers to itself or is deep', () => {
    const loop: Record<string, unknown> = { a: 1 };
    loop.self = loop;
    assert.equal(record((log) => log.info({ loop }, 'x')).msg, 'x');
    const cyclic = new Error('a');
    cyclic.cause = cyclic;
    assert.equal(record((log) => log.error(cyclic)).msg, 'a');
  });

  it('writes for human eyes, in one line that a caller cannot break', () => {
    const [line = ''] = logged((log) => log.warn({ name: 'a b', id: 3, plain: 'x' }, 'one\ntwo\u001b[31m'), { log: { format: 'text' } });
    assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} WARN {2}one\\u\{a\}two\\u\{1b\}\[31m name="a b" id=3 plain=x\n$/);
    const [withStack = ''] = logged((log) => log.error(new Error('broken')), { log: { format: 'text' } });
    assert.match(withStack, /ERROR broken\n {4}Error: broken\n {4} {4}at /);
  });
});

describe('loggableUrl', () => {
  it('hides the values of parameters that sign in', () => {
    assert.equal(loggableUrl('/a?token=x&b=1&access_token=y=z&code=1'), '/a?token=[redacted]&b=1&access_token=[redacted]&code=[redacted]');
    assert.equal(loggableUrl('/a?TOKEN=x&%61ccess_token=y&%zz=1&token='), '/a?TOKEN=[redacted]&%61ccess_token=[redacted]&%zz=1&token=');
    assert.equal(loggableUrl('/token=x'), '/token=x');
  });

  it('takes out what is secret in paths', () => {
    assert.equal(loggableUrl('/org/invite/hush-hush?a=1'), '/org/invite/[redacted]?a=1');
    assert.equal(
      loggableUrl('/user/login?redirect_to=%2Forg%2Finvite%2Fhush&b=1'),
      '/user/login?redirect_to=%2Forg%2Finvite%2F[redacted]&b=1',
    );
    assert.equal(loggableUrl('/api/packages/a/npm/-/user/token/%68ush'), '/api/packages/a/npm/-/user/token/[redacted]');
    assert.equal(loggableUrl('/user/token/list'), '/user/token/list');
  });
});
