// The operations page: polls its server every two seconds, shows the response, and executes actions.

import { Alerts, rulesOf, runbookOf } from './alerts.js';
import { Samples, points } from './figures.js';

const EVERY = 2_000; // ms between two polls
const PATIENCE = 10_000; // ms to wait for a response
const BOX = [300, 50]; // of a curve
const SHORTEST = 60; // initial length of a curve in s; it grows up to
const LONGEST = 300;
const SILENT = 12; // s: three beacons
const KEY = 'chatflow.token';

const at = (id) => document.getElementById(id);
const samples = new Samples();
let alerts;
let token = readToken();
let answered; // time of the last response
let next;

// --- requests

/**
 * Takes the token from the fragment, which is not sent to servers, and removes it from the address; it is kept only in
 * this tab.
 */
function readToken() {
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
    const body = await answer.json();
    if (answer.status === 401 || answer.status === 403) {
      showSignIn(body.error);
      return;
    }
    if (!answer.ok) {
      throw new Error(body.error);
    }
    await show(body);
  } catch (error) {
    showUnreachable(error);
  }
  clearTimeout(next); // of a poll that began in the meantime
  next = setTimeout(() => document.visibilityState === 'visible' && look(), EVERY);
}

async function show(sample) {
  alerts ??= new Alerts(rulesOf(await (await ask('chatflow.yml')).text()), runbookOf(await (await ask('runbook.md')).text()));
  if (answered === undefined) {
    at('level').value = (await (await ask('log')).json()).level;
  }
  answered = new Date();
  samples.add(performance.now() / 1000, sample);
  at('door').hidden = true;
  document.querySelector('main').hidden = false;
  draw(sample);
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

function showUnreachable(error) {
  document.body.dataset.state = 'unreachable';
  setText('state', 'does not answer');
  const since = answered === undefined ? '' : ` since ${answered.toLocaleTimeString()}: the figures below are from that time`;
  const why = error instanceof TypeError || error.name === 'TimeoutError' ? '' : ` (${error.message})`;
  banner(`No answer${since}${why}. This page retries every ${EVERY / 1000} s.`);
}

// --- display

/** Sets a text only if it changed, so that it is not read out again. */
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
  const created = document.createElement(name);
  created.className = className;
  created.append(...content);
  return created;
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

/** Fills a table; the first cell of a row is its header. */
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
  fill('hops', samples.now.hops.map(({ name }, i) =>
    [name, millis(samples.mean(name, 60)), millis(samples.quantile(name, 0.99, 60)), amount(samples.rate((sample) => sample.hops[i].count, 60), 1)]));
  fill('broker', [
    ['circuit', health.broker.circuit], ['publisher connection', health.broker.publisher],
    ['consumer connection', health.broker.consumer],
    ['entries not acknowledged', amount(marks.unacked)], ['room logs', `${amount(marks.logBytes / 1024)} KiB`],
    ['connections paused', amount(stats.paused)], ['gaps', amount(stats.gaps)]]);
  fill('lanes', stats.lanes.map(({ shard, waiting }) =>
    [String(shard), amount(waiting), amount(samples.rate((sample) => sample.stats.lanes[shard].flights, 60), 1)]));
  fill('rooms', rooms.map(({ roomId, members }) => [roomId, amount(members)]));
  setText('rooms-hint', `${many(stats.rooms, 'room')} with ${many(stats.members, 'member')} on this server`
    + (stats.rooms > rooms.length ? `; the ${rooms.length} largest are listed.` : '.'));
  fill('trouble', [
    ...trouble('member closed', slow, (sample) => sample.slow),
    ...trouble('connection refused', rejectedConnections, (sample) => sample.rejectedConnections),
    ...trouble('message refused', stats.refused, (sample) => sample.stats.refused)]);
  setText('trouble-hint', at('trouble').children.length === 0 ? 'None since the start.' : '');
  fill('others', others.map((one) => [one.serverId, amount(one.connections), amount(one.rooms), amount(one.messagesPerSecond),
    `${amount(one.lagMillis)} ms`, one.version, one.agoMillis / 1000 > SILENT ? `silent for ${age(one.agoMillis / 1000)}` : 'now']));
  markScrolling();
}

/** Makes only scrolling sections reachable with the Tab key. */
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
    ? `Draining: ${many(connections, 'connection')} left; new connections are refused.`
    : 'Drained: no client is connected, and new connections are refused until a restart.';
  banner(status === 'DRAINING' ? draining : unready === undefined ? '' : `Not ready: ${unready}.`);
  at('drain').disabled = status === 'DRAINING';
}

function trouble(what, counts, of) {
  return Object.entries(counts).filter(([, count]) => count > 0).map(([why, count]) =>
    [`${what}: ${why}`, amount(samples.growth((sample) => of(sample)[why] ?? 0, 300)), amount(count)]);
}

/** Keeps the elements of alerts, so that an open one stays open. */
function drawAlerts() {
  const holding = alerts.of(samples);
  const before = new Map([...at('alerts').children].map((one) => [one.dataset.name, one]));
  if (holding.map(({ name }) => name).join() !== [...before.keys()].join()) {
    at('alerts').replaceChildren(...holding.map((alert) => before.get(alert.name) ?? alertOf(alert)));
  }
  holding.forEach(({ seconds }, i) => (at('alerts').children[i].querySelector('time').textContent = `for ${age(seconds)}`));
  setText('alerts-hint', `${holding.length === 0 ? 'None' : holding.length} of the ${alerts.rules.length} alerts that one server can evaluate,`
    + ` over the last ${age(Math.min(LONGEST, samples.seconds))}. Prometheus evaluates all alerts.`);
}

function alertOf({ name, severity, means, look: where, act }) {
  const summary = element('summary', '', element('b', '', name), ` (${severity}): `, ...words(means), ' ', element('time', 'hint'));
  const more = element('dl', '', ...[['Check', where], ['Do', act]].flatMap(([head, text]) =>
    [element('dt', '', head), element('dd', '', ...words(text))]));
  const link = element('a', '', 'The runbook');
  link.href = `runbook.md#:~:text=${encodeURIComponent(`### ${name}`)}`;
  const created = element('details', severity, summary, more, link);
  created.dataset.name = name;
  return created;
}

/** Converts a runbook's text; its links work only in the runbook. */
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

/** Returns the lag; undefined, not 0, while no entry is read back. */
function lag(now, before) {
  const [a, b] = [before, now].map(({ hops }) => hops.find(({ name }) => name === 'broker'));
  return a.count === b.count ? undefined : ((b.seconds - a.seconds) * 1000) / (b.count - a.count);
}

function drawCurves() {
  const seconds = Math.min(LONGEST, Math.max(SHORTEST, samples.seconds));
  at('curves').replaceChildren(...CURVES.map(([name, value]) => {
    const looks = samples.curve(value);
    const curve = looks.filter(([, each]) => each !== undefined);
    const most = Math.max(0, ...curve.map(([, each]) => each));
    const last = amount(looks.at(-1)?.[1], 1);
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

/** Asks for confirmation; Escape means no. */
function agreed(question, yes) {
  setText('question', question);
  setText('yes', yes);
  at('ask').returnValue = '';
  at('ask').showModal();
  return new Promise((resolve) => (at('ask').onclose = () => resolve(at('ask').returnValue === 'yes')));
}

/** Executes an action and shows the result; `done` formats a successful response. */
async function act(path, doing, done, isGood = ({ ok }) => ok) {
  setText('outcome', doing);
  try {
    const answer = await ask(path, { method: 'POST' });
    const body = await answer.json();
    setText('outcome', isGood(answer, body) ? done(body) : `Not done: ${body.error}`);
  } catch {
    setText('outcome', 'No answer: the outcome is unknown. Reload the page to check.');
  }
}

async function drain() {
  if (await agreed('Drain this server? All clients are asked to reconnect to another server, and new connections are refused until a restart.', 'Drain')) {
    await act('drain', 'Draining …', () => 'Drained: all clients were asked to reconnect to another server.', (_, body) => body.status === 'DRAINING');
  }
}

async function closeUser() {
  const user = at('user').value;
  if (await agreed(`Close all connections of user ${user} on this server?`, 'Close')) {
    const done = ({ closed }) => (closed === 0 ? `User ${user} has no connection here.` : `Closed: ${closed} of user ${user}.`);
    await act(`users/${encodeURIComponent(user)}/close`, `Closing ${user} …`, done);
  }
}

at('drain').addEventListener('click', drain);
at('level').addEventListener('change', ({ target }) =>
  act(`log/${target.value}`, 'Setting …', ({ level }) => `The log level is ${level} until the next restart.`));
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
