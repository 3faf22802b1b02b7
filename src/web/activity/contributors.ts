import { findUsersByEmails } from '../../accounts/find-by-email.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Contributions, Week } from '../../git/history/tally.ts';
import { type ShownUser, userLink } from '../components/avatar.ts';
import { number } from '../components/numbers.ts';
import { withParameter } from '../components/pages.ts';
import { barPlot } from '../components/plots.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import type { View } from '../view.ts';
import { contributionsDocument } from './frame.ts';
import { barsOf, firstWeek, type Measure, totalOf, weeksOfAll } from './weeks.ts';

/** Number of people with a plot of their own. */
const MAX_SHOWN = 100;
const MEASURES: readonly Measure[] = ['commits', 'additions', 'deletions'];

/** A contributor, by account if one has the e-mail address. */
export interface Person {
  readonly name: string;
  readonly user: ShownUser | undefined;
  readonly weeks: readonly Week[];
}

/** Contributors with their accounts, most commits first. All e-mail addresses of an account are one person. */
export async function peopleOfContributions(context: Context, { contributors }: Contributions): Promise<Person[]> {
  const users = await findUsersByEmails(
    context,
    contributors.map(({ email }) => email),
  );
  const people = new Map<string | number, { name: string; user: User | undefined; parts: (typeof contributors)[number][] }>();
  for (const contributor of contributors) {
    const user = users.get(contributor.email);
    const key = user?.id ?? contributor.email;
    const known = people.get(key);
    if (known) known.parts.push(contributor);
    else people.set(key, { name: contributor.name, user, parts: [contributor] });
  }
  return [...people.values()]
    .map(({ name, user, parts }) => ({
      name,
      user: user && presentUser(context, user, null),
      weeks: parts.length === 1 ? (parts[0]?.weeks ?? []) : weeksOfAll({ contributors: parts }),
    }))
    .sort((a, b) => totalOf(b.weeks, 'commits') - totalOf(a.weeks, 'commits'));
}

/** The contributors to the default branch over time. */
export async function contributorsPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { activity: text } = view.text;
  const measure = MEASURES.find((one) => one === fields.get('type')) ?? 'commits';
  return contributionsDocument(visit, context, 'contributors', async (contributions) => {
    const all = weeksOfAll(contributions);
    const first = firstWeek(all);
    const people = (await peopleOfContributions(context, contributions)).toSorted(
      (a, b) => totalOf(b.weeks, measure) - totalOf(a.weeks, measure),
    );
    const title = text.overTime(text[measure], number(view, totalOf(all, measure)), people.length);
    const choices = MEASURES.map(
      (one) =>
        html`<a class="button" href="${withParameter(view, 'type', one)}"${one === measure && html` aria-current="true"`}>${text[one]}</a>`,
    );
    const heads = [text.week, text[measure]];
    return html`<div class="row"><p class="plot-title">${title}</p><span class="switch push" role="group" aria-label="${text.measure}">${choices}</span></div>
${barPlot(view, { title, bars: barsOf(view, all, first, measure), heads })}
<ol class="contributors">${people.slice(0, MAX_SHOWN).map((person, index) => card(view, person, index + 1, first, measure))}</ol>
${people.length > MAX_SHOWN && html`<p class="muted">${text.morePeople(people.length - MAX_SHOWN)}</p>`}`;
  });
}

function card(view: View, { name, user, weeks }: Person, rank: number, first: number, measure: Measure): Html {
  const { activity: text } = view.text;
  const sum = (one: Measure) => number(view, totalOf(weeks, one));
  const title = text.by(text[measure], user?.login ?? (name || text.others), sum(measure));
  return html`<li class="box"><header>${user ? userLink(view, user, 24) : html`<strong>${name || text.others}</strong>`}<span class="push muted">#${rank}</span></header>
<div class="content"><p class="line-counts">${text.commitCount(totalOf(weeks, 'commits'))} <span class="plus" title="${text.additions}">+${sum('additions')}</span> <span class="minus" title="${text.deletions}">−${sum('deletions')}</span></p>
${barPlot(view, { title, bars: barsOf(view, weeks, first, measure), heads: [], size: 'small' })}</div></li>`;
}
