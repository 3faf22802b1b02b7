// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SimulatedRunner, startRun, workflow } from '../../actions/simulated-runner.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
const API = '/repos/alice/forge';
const { id: repositoryId } = await alice.must('POST', '/user/repos', { name: 'forge', private: true, auto_init: true });
const runner = await SimulatedRunner.at(t, alice, API);
const { commit } = await alice.must('GET', `${API}/branches/main`);
const run = await startRun(t, repositoryId, workflow(['one']), { commit_sha: commit.id });
const { id: taskId } = await runner.fetch();
const LINES = Array.from({ length: 1200 }, (_, at) => `line ${at + 1}`);
LINES[9] = '::group::Set up';
LINES[11] = '::endgroup::';
LINES[1150] = '\u001b[31mREADME.md:3:1\u001b[0m <b> ./README.md(4,2) docs/none.md:5 http://example.com/README.md:6';
LINES[1151] = '::error file=README.md,line=7,endLine=9,col=2,title=50%25 <i>::Not%20good%0D%0Amore';
LINES[1152] = '::warning file=README.md::No line';
LINES[1153] = 'at file:///home/work/forge/forge/README.md:8:1 (/etc/forge.d/README.md:9)';
LINES[699] = '\u001b[31mneed\u001b[0mle & thread';
const [begin, end] = [{ startedAt: '2024-01-02T03:04:05Z' }, { stoppedAt: '2024-01-02T03:05:05Z' }];
const told: string[] = [];
t.context.wakeUps.onNotify((subject) => told.push(subject));
await runner.log(taskId, 0, LINES);
await runner.report(taskId, { ...begin, steps: [{ id: '0', ...begin, logIndex: '0', logLength: '1200' }] });
const { jobs } = await alice.must('GET', `${API}/actions/runs/${run.id}/jobs`);
const JOB = `/alice/forge/actions/runs/${run.id}/jobs/${jobs[0].id}`;
const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);

async function update(query: string) {
  const { status, text } = await owner.get(`${JOB}/lines?${query}`);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

describe('the log of a running job', () => {
  it('shows its end, and leads to the rest and to lines', async () => {
    const { text } = await owner.get(JOB);
    assert.match(text, /data-step="0" data-first="1001" data-next="1201" data-total="1200"/);
    assert.match(text, /id="jobstep-0-1200"/);
    assert.ok(!text.includes('id="jobstep-0-1000"'));
    assert.match(text, /class="log-note log-earlier"><a href="[^"]*\?step=0&amp;line=501#step-0"/);
    const first = (await owner.get(`${JOB}?step=0&line=3`)).text;
    assert.match(first, /data-first="1" data-next="501"/);
    assert.match(
      first,
      /<details class="log-group"><summary id="jobstep-0-10">Set up<\/summary><div><div class="log-part"><div class="log-block">/,
    );
    assert.equal(first.match(/class="log-block"/g)?.length, 6);
  });

  it('leads to the lines of files that it names, as the commit of the run has them', async () => {
    const file = `/alice/forge/src/commit/${run.commit_sha}/README.md`;
    const { text } = await owner.get(JOB);
    const line = /id="jobstep-0-1151"[\s\S]*?<\/div>/.exec(text)?.[0] ?? '';
    assert.ok(line.includes(`<a href="${file}#L3">README.md:3:1</a>`), line);
    assert.ok(line.includes(`&lt;b&gt; <a href="${file}#L4">./README.md(4,2)</a> docs/none.md:5 http://example.com/README.md:6`), line);
    const annotated = /id="jobstep-0-1152"[\s\S]*?<\/div>/.exec(text)?.[0] ?? '';
    assert.ok(annotated.includes(`<a href="${file}#L7">README.md:7:2</a>: 50% &lt;i&gt;: Not%20good\nmore</code>`), annotated);
    assert.ok(text.includes(`<a href="${file}#L1">README.md:1</a>: No line`));
    assert.ok(text.includes(`at <a href="${file}#L8">file:///home/work/forge/forge/README.md:8:1</a> (/etc/forge.d/README.md:9)`));
    assert.ok((await update('step=0&from=1151')).rows[0].includes(`href="${file}#L3"`));
  });

  it('tells pages that there is more, and sends what is new alone', async () => {
    assert.ok(told.includes(`l${jobs[0].id}`));
    const page = (await owner.get(JOB)).text;
    const seen = /data-seen="([^"]+)"/.exec(page)?.[1] ?? '';
    const nothing = await update(`step=0&from=1201&seen=${seen}`);
    assert.deepEqual(nothing, { task: Number(taskId), isOver: false, from: 1201, next: 1201, total: 1200, isDone: false, rows: [] });
    assert.equal(await runner.log(taskId, 1200, ['::group::More', 'inside', '::endgroup::']), 1203);
    await runner.report(taskId, { ...begin, steps: [{ id: '0', ...begin, logIndex: '0', logLength: '1203' }] });
    const news = await update(`step=0&from=1201&seen=${seen}`);
    assert.equal(news.seen, undefined, 'the states are the same');
    assert.match(
      news.rows[0],
      /^<details class="log-group" open data-unfinished><summary id="jobstep-0-1201">More<\/summary><div><\/div><\/details>$/,
    );
    assert.match(news.rows[1], /^<div class="log-line text" id="jobstep-0-1202" data-n="1202"/);
    assert.deepEqual([news.rows[2], news.next], ['', 1204]);
    const middle = await update(`step=0&from=20&count=2&seen=${seen}`);
    assert.deepEqual([middle.rows.length, middle.next], [2, 22]);
    for (const query of ['step=0&from=999999', 'step=7', 'step=x&from=-1&count=1e9', '']) await update(query);
  });

  it('is searched', async () => {
    const { text } = await owner.get(`${JOB}?step=0&q=NEEDLE+%26`);
    assert.match(text, /1 line matches\./);
    assert.match(text, new RegExp(`href="${JOB}\\?step=0&amp;line=700#jobstep-0-700"`));
    assert.match((await owner.get(`${JOB}?step=0&q=nowhere`)).text, /No line matches\./);
  });

  it('leads to a line by a field', async () => {
    const { status, location } = await owner.get(`${JOB}?step=0&to=12`);
    assert.deepEqual([status, location], [303, `${JOB}?step=0&line=12#jobstep-0-12`]);
    assert.equal((await owner.get(`${JOB}?step=0&to=x`)).status, 200);
  });

  it('says when a step and the job are over', async () => {
    const steps = [{ id: '0', result: 'RESULT_SUCCESS', ...begin, ...end, logIndex: '0', logLength: '1203' }];
    await runner.report(taskId, { ...begin, steps: [...steps, { id: '1', ...begin, logIndex: '1203', logLength: '0' }] });
    const news = await update('step=0&from=1204&seen=old');
    assert.deepEqual(
      [news.isDone, news.isOver, news.steps.map(({ status }: { status: string }) => status)],
      [true, false, ['success', 'running']],
    );
    assert.match(news.facts, /Running/);
    await runner.log(taskId, 1203, [], true);
    await runner.report(taskId, { result: 'RESULT_SUCCESS', ...begin, ...end, steps });
    assert.equal((await update('step=1')).isOver, true);
    assert.match((await owner.get(`${JOB}?step=0&q=needle`)).text, /1 line matches\./, 'from the storage too');
  });

  it('is nothing for strangers', async () => {
    const stranger = new Browser(t.url);
    assert.match((await stranger.get(`${JOB}/lines`)).location, /user\/login|^$/);
    await stranger.signIn('mallory', PASSWORD);
    assert.equal((await stranger.get(`${JOB}/lines?step=0`)).status, 404);
  });
});
