import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { canWriteIssue } from '../../issues/find.ts';
import { findPeople } from '../../issues/people.ts';
import { cancelStopwatch, runningStopwatch, startStopwatch, stopStopwatch } from '../../issues/stopwatches/stopwatches.ts';
import { durationInWords } from '../../issues/times/duration.ts';
import { changeEstimate, estimateInWords, parseEstimate } from '../../issues/times/estimate.ts';
import { addTime, deleteTime, listDeletableTimes, timePerUser } from '../../issues/times/times.ts';
import { mayTrackTime, tracksTime } from '../../issues/times/tracking.ts';
import { actionButton, field } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../view.ts';
import type { Action, ActionInput } from './action.ts';
import type { Conversation } from './conversation.ts';
import { sideForm, sidePart } from './side-part.ts';

/** The time that was spent on an issue, in seconds. */
export interface TimeData {
  readonly total: number;
  readonly users: readonly { readonly name: string; readonly seconds: number }[];
  readonly mayTrack: boolean;
  readonly isRunning: boolean;
  /** The newest entries that the reader may delete. */
  readonly entries: readonly { readonly id: number; readonly name: string; readonly seconds: number }[];
}

const MAX_ENTRIES = 30;

/** Reads the tracked time of an issue; undefined if tracking is disabled. Users without write access only see their own, as in the API. */
export async function readTime({ visit, issue }: Conversation, context: Context): Promise<TimeData | undefined> {
  const { access, repository } = visit;
  const { actor } = context;
  if (!tracksTime(context, repository)) return undefined;
  const all = await timePerUser(context, issue);
  const users = access.canWrite('issues') ? all : all.filter(({ name }) => name === actor?.name);
  const running = actor && (await runningStopwatch(context, actor));
  const mayTrack = actor !== null && !repository.is_archived && (await mayTrackTime(context, issue, access));
  return {
    total: users.reduce((sum, { seconds }) => sum + seconds, 0),
    users,
    mayTrack,
    isRunning: running?.issue.id === issue.id,
    entries: mayTrack ? await entriesOf(context, issue) : [],
  };
}

async function entriesOf(context: Context, issue: Conversation['issue']): Promise<TimeData['entries']> {
  const times = await listDeletableTimes(context, issue, signedInActor(context), MAX_ENTRIES);
  const people = await findPeople(
    context.db,
    times.map((time) => time.user_id),
    [context.actor],
  );
  return times.map(({ id, user_id: userId, seconds }) => ({ id, name: people(userId).name, seconds }));
}

/** The time that is estimated and was spent, and the reader's clock. */
export function timeTracking(conversation: Conversation, time: TimeData | undefined): Html | false {
  const { visit, path } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  if (!time) return false;
  const estimated = estimatePart(conversation);
  if (!time.mayTrack && time.total === 0) return estimated;
  const button = (action: string, label: string) => actionButton(view, { action: path, label, fields: { do: action } });
  const clock = time.isRunning
    ? html`${button('stop-timer', text.stopTimer)} ${button('cancel-timer', text.cancelTimer)}`
    : button('start-timer', text.startTimer);
  const shown = html`${
    time.users.length > 0 &&
    html`<p>${text.totalTime}: ${durationInWords(time.total)}</p>
<ul class="plain-list muted">${time.users.map(({ name, seconds }) => html`<li>${name}: ${durationInWords(seconds)}</li>`)}</ul>`
  }
${time.entries.length > 0 && entryList(conversation, time.entries)}
${time.mayTrack && html`<div class="buttons">${clock}</div>`}`;
  const fields = html`${field({ name: 'hours', label: text.hours, type: 'number', value: '' })}${field({ name: 'minutes', label: text.minutes, type: 'number', value: '' })}`;
  return html`${estimated}${sidePart(conversation, text.timeTracking, shown, time.mayTrack && sideForm(conversation, 'add-time', fields))}`;
}

function estimatePart(conversation: Conversation): Html | false {
  const { visit, issue, canEdit } = conversation;
  const { timeline: text } = visit.view.text;
  const words = estimateInWords(issue.time_estimate);
  if (words === '' && !canEdit) return false;
  const fields = field({
    name: 'time_estimate',
    label: text.estimate,
    value: words,
    hint: text.estimateHint,
    maxLength: 100,
    autocomplete: 'off',
  });
  const shown = words === '' ? html`<span class="muted">${text.noEstimate}</span>` : html`${words}`;
  return sidePart(conversation, text.estimate, shown, canEdit && sideForm(conversation, 'time-estimate', fields));
}

function entryList({ visit: { view }, path }: Conversation, entries: TimeData['entries']): Html {
  const { timeline: text } = view.text;
  const rows = entries.map(({ id, name, seconds }) => {
    const time = wordsOf(seconds);
    const remove = actionButton(view, {
      action: path,
      label: icon(view, 'x'),
      title: text.deleteEntry(time, name),
      fields: { do: 'delete-time', time: id },
      className: 'link',
    });
    return html`<li class="row">${name}: ${time} ${remove}</li>`;
  });
  return html`<details class="side-fold"><summary>${text.entries}</summary><ul class="plain-list">${rows}</ul></details>`;
}

/** Corrections are negative. */
function wordsOf(seconds: number): string {
  return seconds < 0 ? `−${durationInWords(-seconds)}` : durationInWords(seconds);
}

/** The actions on tracked time. */
export const TIME_ACTIONS: Readonly<Record<string, Action>> = {
  'start-timer': { run: tracking(({ issue }, context) => startStopwatch(context, issue)) },
  'stop-timer': { run: tracking(({ issue }, context) => stopStopwatch(context, issue)) },
  'cancel-timer': { run: tracking(({ issue }, context) => cancelStopwatch(context, issue)) },
  'add-time': { run: tracking(logTime) },
  'delete-time': {
    run: tracking(({ issue, fields }, context) => deleteTime(context, issue, fields.get('time') ?? '', signedInActor(context))),
  },
  'time-estimate': { run: estimate },
};

/** A change by users who may track time. */
function tracking(change: (input: ActionInput, context: Context) => Promise<unknown>): Action['run'] {
  return async (input, context) => {
    if (!(await mayTrackTime(context, input.issue, input.visit.access))) throw forbidden('time may not be tracked here');
    await change(input, context);
    return undefined;
  };
}

async function logTime({ visit, issue, fields }: ActionInput, context: Context): Promise<void> {
  const part = (name: string) => ((fields.get(name) ?? '') ? Number(fields.get(name)) : 0);
  const seconds = Math.round(part('hours') * 3600 + part('minutes') * 60);
  if (!Number.isSafeInteger(seconds) || seconds === 0) throw unprocessable(visit.view.text.timeline.invalidTime);
  await addTime(context, issue, signedInActor(context), seconds);
}

/** For the author and users with write access. */
async function estimate({ visit, issue, fields }: ActionInput, context: Context): Promise<undefined> {
  const mayEdit = canWriteIssue(visit.access, issue) || issue.author_id === context.actor?.id;
  if (!mayEdit || !tracksTime(context, issue.repository)) throw forbidden('not allowed to edit');
  await changeEstimate(context, issue, parseEstimate(fields.get('time_estimate') ?? ''));
}
