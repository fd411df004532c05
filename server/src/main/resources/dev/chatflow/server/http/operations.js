// The operations page: polls its server every two seconds, shows the answers and sends the actions.

import { Alerts, rulesOf, runbookOf } from './alerts.js';
import { Seen, points } from './figures.js';

const INTERVAL = 2_000; // ms between two requests
const PATIENCE = 10_000; // ms for an answer
const BOX = [300, 50]; // width and height of a curve
const SHORTEST = 60; // s that a curve covers at first
const LONGEST = 300; // s that a curve covers at most
const SILENT = 12; // s: the time of three beacons
const KEY = 'chatflow.token';

const at = (id) => document.getElementById(id);
const seen = new Seen();
let alerts;
let token = takeToken();
let answered; // time of the last answer
let next;

// --- requests

/** Takes the token from the fragment of the address, which browsers do not send to servers. Only this tab keeps it. */
function takeToken() {
  const given = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    window.history.replaceState(null, '', window.location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

function ask(path, more = {}) {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  return fetch(path, { headers, cache: 'no-store', ...more });
}

async function look() {
  clearTimeout(next);
  try {
    const answer = await ask('overview', { signal: AbortSignal.timeout(PATIENCE) });
    const report = await answer.json();
    if (answer.status === 401 || answer.status === 403) {
      showSignIn(report.error);
      return;
    }
    if (!answer.ok) {
      throw new Error(report.error);
    }
    await show(report);
  } catch (error) {
    miss(error);
  }
  clearTimeout(next); // of a request that began in the meantime
  next = setTimeout(() => document.visibilityState === 'visible' && look(), INTERVAL);
}

async function show(report) {
  alerts ??= new Alerts(rulesOf(await (await ask('chatflow.yml')).text()), runbookOf(await (await ask('runbook.md')).text()));
  if (answered === undefined) {
    at('level').value = (await (await ask('log')).json()).level;
  }
  answered = new Date();
  seen.add(performance.now() / 1000, report);
  at('door').hidden = true;
  document.querySelector('main').hidden = false;
  draw(report);
}

function showSignIn(why) {
  document.body.dataset.state = 'refused';
  setText('state', 'access denied');
  setText('refusal', token === null ? '' : why);
  banner('');
  document.querySelector('main').hidden = true;
  at('door').hidden = false;
  at('token').focus();
}

function miss(error) {
  document.body.dataset.state = 'gone';
  setText('state', 'no answer');
  const since = answered === undefined ? '' : `; showing data from ${answered.toLocaleTimeString()}`;
  const why = error instanceof TypeError || error.name === 'TimeoutError' ? '' : ` (${error.message})`;
  banner(`No answer${why}${since}. Retrying every ${INTERVAL / 1000} s.`);
}

// --- display

/** Leaves an unchanged text alone, so that screen readers do not repeat it. */
function setText(id, text) {
  if (at(id).textContent !== text) {
    at(id).textContent = text;
  }
}

function banner(text) {
  at('banner').hidden = text === '';
  setText('banner', text);
}

function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

function amount(value, digits = 0) {
  return value === undefined ? '\u2013' : value.toLocaleString('en', { maximumFractionDigits: digits });
}

function millis(seconds) {
  return amount(seconds && seconds * 1000, seconds > 0.1 ? 0 : 2);
}

function many(count, word) {
  return `${amount(count)} ${word}${count === 1 ? '' : 's'}`;
}

function age(seconds) {
  const units = [[86_400, 'd'], [3_600, 'h'], [60, 'min']];
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** Fills a table. The first cell of a row is its header. */
function fill(id, rows) {
  const text = JSON.stringify(rows);
  if (at(id).dataset.rows !== text) {
    at(id).dataset.rows = text;
    at(id).replaceChildren(...rows.map(([head, ...cells]) => {
      const first = element('th', '', head);
      first.scope = 'row';
      return element('tr', '', first, ...cells.map((cell) => element('td', '', cell)));
    }));
  }
}

function draw({ health, unready, stats, marks, rooms, others, rejectedConnections, slow }) {
  document.body.dataset.state = health.status;
  document.title = `${health.serverId} \u00b7 ChatFlow operations`;
  setText('server', health.serverId);
  setText('state', health.status);
  setText('about', `version ${health.version}, up ${age(health.uptimeSeconds)}, tokens ${health.auth === 'none' ? 'not required' : 'required'}`);
  drawState(health.status, unready, stats.connections);
  drawAlerts();
  drawCurves();
  fill('hops', seen.now.hops.map(({ name }, i) =>
    [name, millis(seen.mean(name, 60)), millis(seen.quantile(name, 0.99, 60)), amount(seen.rate((report) => report.hops[i].count, 60), 1)]));
  fill('broker', [
    ['circuit', health.broker.circuit], ['publisher connection', health.broker.publisher],
    ['reader connection', health.broker.consumer],
    ['unacknowledged entries', amount(marks.unacked)], ['room logs', `${amount(marks.logBytes / 1024)} KiB`],
    ['connections paused', amount(stats.paused)], ['gaps', amount(stats.gaps)]]);
  fill('lanes', stats.lanes.map(({ shard, waiting }) =>
    [String(shard), amount(waiting), amount(seen.rate((report) => report.stats.lanes[shard].flights, 60), 1)]));
  fill('rooms', rooms.map(({ roomId, members }) => [roomId, amount(members)]));
  setText('rooms-hint', `${many(stats.rooms, 'room')} with ${many(stats.members, 'member')} on this server`
    + (stats.rooms > rooms.length ? `; the ${rooms.length} largest are listed.` : '.'));
  fill('trouble', [
    ...trouble('slow member closed', slow, (report) => report.slow),
    ...trouble('connection rejected', rejectedConnections, (report) => report.rejectedConnections),
    ...trouble('message rejected', stats.refused, (report) => report.stats.refused)]);
  setText('trouble-hint', at('trouble').children.length === 0 ? 'None since startup.' : '');
  fill('others', others.map((one) => [one.serverId, amount(one.connections), amount(one.rooms), amount(one.messagesPerSecond),
    `${amount(one.lagMillis)} ms`, one.version, one.agoMillis / 1000 > SILENT ? `silent for ${age(one.agoMillis / 1000)}` : 'now']));
  markScrolling();
}

/** Makes scrolling sections, and only these, reachable with the Tab key. */
function markScrolling() {
  document.querySelectorAll('section').forEach((section) => {
    if (section.scrollWidth > section.clientWidth) {
      section.tabIndex = 0;
    } else {
      section.removeAttribute('tabindex');
    }
  });
}

function drawState(status, unready, connections) {
  const draining = connections > 0
    ? `Draining: ${many(connections, 'connection')} left. New connections are rejected.`
    : 'Drained. Restart the server to accept connections again.';
  banner(status === 'DRAINING' ? draining : unready === undefined ? '' : `Not ready: ${unready}.`);
  at('drain').disabled = status === 'DRAINING';
}

function trouble(what, counts, of) {
  return Object.entries(counts).filter(([, count]) => count > 0).map(([why, count]) =>
    [`${what}: ${why}`, amount(seen.growth((report) => of(report)[why] ?? 0, 300)), amount(count)]);
}

/** Keeps the elements of alerts that remain, so that an open one stays open. */
function drawAlerts() {
  const holding = alerts.of(seen);
  const before = new Map([...at('alerts').children].map((one) => [one.dataset.name, one]));
  if (holding.map(({ name }) => name).join() !== [...before.keys()].join()) {
    at('alerts').replaceChildren(...holding.map((alert) => before.get(alert.name) ?? alertOf(alert)));
  }
  holding.forEach(({ seconds }, i) => (at('alerts').children[i].querySelector('time').textContent = `for ${age(seconds)}`));
  setText('alerts-hint', `${holding.length === 0 ? 'No active alerts' : `Active alerts: ${holding.length}`}`
    + ` (${alerts.rules.length} of ${alerts.all} rules can be evaluated here, over the last ${age(Math.min(LONGEST, seen.seconds))}).`);
}

function alertOf({ name, severity, means, look: where, act }) {
  const summary = element('summary', '', element('b', '', name), ` (${severity}): `, ...words(means), ' ', element('time', 'hint'));
  const more = element('dl', '', ...[['Check', where], ['Do', act]].flatMap(([head, text]) =>
    [element('dt', '', head), element('dd', '', ...words(text))]));
  const link = element('a', '', 'Runbook');
  link.href = `runbook.md#:~:text=${encodeURIComponent(`### ${name}`)}`;
  const made = element('details', severity, summary, more, link);
  made.dataset.name = name;
  return made;
}

/** Renders text of the runbook. Links keep only their text: their targets are in the runbook. */
function words(text) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]*\)|\*[^*]+\*)/).map((piece) => {
    const inner = piece.replace(/^\[([^\]]+)\].*$/, '$1');
    return piece.startsWith('`') ? element('code', '', piece.slice(1, -1))
      : piece.startsWith('*') ? element('em', '', piece.slice(1, -1)) : inner;
  });
}

const CURVES = [
  ['messages in, /s', (now, before, s) => (now.stats.messagesIn - before.stats.messagesIn) / s],
  ['frames to members, /s', (now, before, s) => (now.stats.deliveries - before.stats.deliveries) / s],
  ['log lag, mean ms', (now, before) => lag(now, before)],
  ['connections', (now) => now.stats.connections],
];

/** Returns undefined while nothing arrives, because that is no lag of 0. */
function lag(now, before) {
  const [a, b] = [before, now].map(({ hops }) => hops.find(({ name }) => name === 'broker'));
  return a.count === b.count ? undefined : ((b.seconds - a.seconds) * 1000) / (b.count - a.count);
}

function drawCurves() {
  const seconds = Math.min(LONGEST, Math.max(SHORTEST, seen.seconds));
  at('curves').replaceChildren(...CURVES.map(([name, value]) => {
    const all = seen.curve(value);
    const curve = all.filter(([, each]) => each !== undefined);
    const most = Math.max(0, ...curve.map(([, each]) => each));
    const last = amount(all.at(-1)?.[1], 1);
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
    svg.setAttribute('viewBox', `0 -2 ${BOX[0]} ${BOX[1] + 4}`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `${name}: ${last} now, at most ${amount(most, 1)} in ${age(seconds)}`);
    line.setAttribute('points', points(curve, BOX, seconds, Math.max(1, most)));
    svg.append(line);
    const caption = element('figcaption', '', element('span', '', name), element('b', '', last));
    return element('figure', '', caption, svg, element('span', 'hint', `at most ${amount(most, 1)} in ${age(seconds)}`));
  }));
}

// --- actions

/** Asks for confirmation. Escape means no. */
function agreed(question, yes) {
  setText('question', question);
  setText('yes', yes);
  at('ask').returnValue = '';
  at('ask').showModal();
  return new Promise((resolve) => (at('ask').onclose = () => resolve(at('ask').returnValue === 'yes')));
}

/** Sends an action and shows its outcome; `done` describes a successful answer. */
async function act(path, doing, done, isDone = ({ ok }) => ok) {
  setText('outcome', doing);
  try {
    const answer = await ask(path, { method: 'POST' });
    const result = await answer.json();
    setText('outcome', isDone(answer, result) ? done(result) : `Failed: ${result.error}`);
  } catch {
    setText('outcome', 'No answer: the outcome is unknown.');
  }
}

async function drain() {
  if (await agreed('Drain this server? All clients are asked to reconnect to another server. New connections are rejected until a restart.', 'Drain')) {
    await act('drain', 'Draining …', () => 'Drained: all clients were asked to reconnect to another server.', (_, { status }) => status === 'DRAINING');
  }
}

async function closeUser() {
  const user = at('user').value;
  if (await agreed(`Close all connections of user ${user} on this server?`, 'Close')) {
    const done = ({ closed }) => (closed === 0 ? `User ${user} has no connection here.` : `Closed ${many(closed, 'connection')} of user ${user}.`);
    await act(`users/${encodeURIComponent(user)}/close`, `Closing ${user} …`, done);
  }
}

at('drain').addEventListener('click', drain);
at('level').addEventListener('change', ({ target }) =>
  act(`log/${target.value}`, 'Setting …', ({ level }) => `Log level set to ${level} until restart.`));
at('yes').addEventListener('click', () => at('ask').close('yes'));
at('no').addEventListener('click', () => at('ask').close());
at('close').addEventListener('submit', (event) => {
  event.preventDefault();
  closeUser();
});
at('door').addEventListener('submit', (event) => {
  event.preventDefault();
  token = at('token').value;
  sessionStorage.setItem(KEY, token);
  at('token').value = '';
  look();
});
window.addEventListener('resize', markScrolling);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && at('door').hidden && look());
look();
