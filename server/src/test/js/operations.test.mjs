// The operations page: figures derived from the reports of a server, and its alerts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../../../', import.meta.url);
const RULES = readFileSync(new URL('infra/monitoring/rules/chatflow.yml', ROOT), 'utf8');
const RUNBOOK = readFileSync(new URL('docs/how-to/runbook.md', ROOT), 'utf8');

/** Imports a script as data, because Node derives the type of a file from its name. */
async function module(name) {
  const file = new URL(`server/src/main/resources/dev/chatflow/server/http/${name}`, ROOT);
  return import(`data:text/javascript,${encodeURIComponent(readFileSync(file, 'utf8'))}`);
}

const { Seen, points } = await module('figures.js');
const { Alerts, FIGURES, rulesOf, runbookOf } = await module('alerts.js');

/** The report of a healthy server, with the changes of a test. */
function report({ uptime = 100, broker = {}, stats = {}, marks = {}, slow = {}, rejectedConnections = {}, lag = [0, 0, [0, 0, 0, 0]] } = {}) {
  const [count, seconds, within] = lag;
  return {
    health: { serverId: 'one', uptimeSeconds: uptime, broker: { publisher: 'OPEN', consumer: 'OPEN', circuit: 'CLOSED', ...broker } },
    stats: { connections: 1, gaps: 0, messagesIn: 0, lanes: [{ waiting: 0 }], ...stats },
    marks: { connectionsLimit: 100, clockBehindSeconds: 0, accessFailures: 0, filesOpen: 1, filesMost: 100, ...marks },
    slow, rejectedConnections,
    bucketMillis: [10, 100, 1_000, 10_000],
    hops: [{ name: 'broker', count, seconds, within }],
  };
}

function seenOf(...reports) {
  const seen = new Seen();
  reports.forEach(([at, changes]) => seen.add(at, report(changes)));
  return seen;
}

const gaps = ({ stats }) => stats.gaps;

test('growth and rate cover the requested time, as far as the reports reach back', () => {
  const seen = seenOf([0, {}], [100, { stats: { gaps: 10 } }], [200, { stats: { gaps: 40 } }]);
  assert.equal(seen.growth(gaps, 100), 30);
  assert.equal(seen.growth(gaps, 300), 40);
  assert.equal(seen.rate(gaps, 300), 0.2);
  assert.equal(seenOf([5, { stats: { gaps: 3 } }]).rate(gaps, 60), 0);
});

test('a restarted server has no past', () => {
  const seen = seenOf([0, { uptime: 100, stats: { gaps: 7 } }], [2, { uptime: 1 }]);
  assert.equal(seen.growth(gaps, 300), 0);
  assert.equal(seen.seconds, 0);
});

test('the number of reports is bounded', () => {
  const seen = new Seen();
  for (let at = 0; at < 3_600; at += 2) {
    seen.add(at, report());
  }
  assert.ok(seen.curve(() => 1).length <= 165);
});

test('mean and quantile cover the observations of the period', () => {
  const seen = seenOf([0, { lag: [10, 99, [0, 0, 0, 0]] }], [60, { lag: [20, 99.5, [5, 10, 10, 10]] }]);
  assert.equal(seen.mean('broker', 60), 0.05);
  assert.equal(seen.quantile('broker', 0.5, 60), 0.01);
  assert.equal(seen.quantile('broker', 0.75, 60), 0.055);
  assert.equal(seenOf([0, {}], [2, {}]).mean('broker', 60), undefined);
  assert.equal(seenOf([0, {}], [2, { lag: [4, 9, [0, 1, 1, 1]] }]).quantile('broker', 0.99, 60), 10, 'beyond the last bound');
});

test('a curve has a point for each report, the newest on the right', () => {
  const seen = seenOf([0, {}], [150, { stats: { messagesIn: 300 } }], [300, { stats: { messagesIn: 300 } }]);
  const curve = seen.curve((now, before, s) => (now.stats.messagesIn - before.stats.messagesIn) / s);
  assert.deepEqual(curve, [[150, 2], [0, 0]]);
  assert.equal(points(curve, [300, 50], 100, 2), '300.0,50.0');
  assert.equal(points(curve, [300, 50], 300, 2), '150.0,0.0 300.0,50.0');
});

const alerts = () => new Alerts(rulesOf(RULES), runbookOf(RUNBOOK));
const names = (holding) => holding.map(({ name }) => name);

test('each figure is the left side of a rule, and each alert has its heading in the runbook', () => {
  const rules = rulesOf(RULES);
  const { rules: known, runbook } = alerts();
  assert.ok(rules.length > 15);
  assert.deepEqual(new Set(known.map(({ figure }) => figure)), new Set(Object.keys(FIGURES)));
  for (const { name, severity, bound, wait } of known) {
    const { means, look, act } = runbook.get(name) ?? {};
    assert.ok(means && look && act, name);
    assert.ok(['page', 'warn'].includes(severity) && bound >= 0 && wait >= 0, name);
  }
  assert.deepEqual(rules.find(({ name }) => name === 'LogLag').wait, 30);
  assert.deepEqual(rules.find(({ name }) => name === 'ClocksApart').wait, 60);
});

test('a healthy server has no alert', () => {
  assert.deepEqual(alerts().of(seenOf([0, {}], [600, {}])), []);
});

test('an alert is active after the time of its rule, and shows what to do', () => {
  const judge = alerts();
  const seen = new Seen();
  const lost = { broker: { consumer: 'RECOVERING' } };
  const at = (seconds, changes) => {
    seen.add(seconds, report(changes));
    return judge.of(seen);
  };
  assert.deepEqual(at(0, lost), []);
  assert.deepEqual(at(9, lost), []);
  const [away] = at(10, lost);
  assert.equal(away.name, 'BrokerAway');
  assert.equal(away.severity, 'page');
  assert.equal(away.seconds, 10);
  assert.match(away.act, /Do not restart servers/);
  assert.deepEqual(at(12, {}), []);
  assert.deepEqual(at(14, lost), [], 'the time starts again');
});

/** Reports, by their number, whose growing figures activate alerts. */
const TROUBLE = {
  BrokerAway: () => ({ broker: { publisher: 'CLOSED' } }),
  CircuitOpen: () => ({ broker: { circuit: 'HALF_OPEN' } }),
  LogLag: (i) => ({ lag: [100 * i, 20 * i, [0, 0, 100 * i, 100 * i]] }),
  ServerBehind: (i) => ({ lag: [100 * i, 200 * i, [0, 0, 0, 100 * i]] }),
  Gap: (i) => ({ stats: { gaps: i } }),
  SlowConsumers: (i) => ({ slow: { 'log full': 10 * i, 'behind others': 10 * i } }),
  TokensRefused: (i) => ({ rejectedConnections: { token: 100 * i, address: 1 } }),
  KeysNotRead: (i) => ({ marks: { accessFailures: i } }),
  ClocksApart: () => ({ marks: { clockBehindSeconds: 6 } }),
  LanesFilling: () => ({ stats: { lanes: [{ waiting: 3_000 }, { waiting: 2_001 }] } }),
  ConnectionsShort: () => ({ stats: { connections: 91 } }),
  DescriptorsShort: () => ({ marks: { filesOpen: 81 } }),
};

test('every alert that the page can evaluate is tested', () => {
  assert.deepEqual(names(alerts().rules), Object.keys(TROUBLE));
});

for (const [name, trouble] of Object.entries(TROUBLE)) {
  test(`${name} holds by its figure and by no other`, () => {
    const judge = alerts();
    const seen = seenOf([0, {}]);
    for (let i = 1; i <= 12; i++) {
      seen.add(i * 30, report(trouble(i)));
      judge.of(seen);
    }
    assert.deepEqual(names(judge.of(seen)), name === 'ServerBehind' ? ['LogLag', name] : [name]);
  });
}
