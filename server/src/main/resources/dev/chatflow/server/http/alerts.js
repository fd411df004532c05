// Evaluates alerts on the reports. Names, thresholds and times come from the rules, texts from the runbook.

const CONNECTED = ['OPEN', 'BLOCKED'];

/** Computes the left side of a rule's expression; undefined without data. */
export const FIGURES = {
  'chatflow_broker_up': ({ now: { health: { broker } } }) =>
    Number(CONNECTED.includes(broker.publisher) && CONNECTED.includes(broker.consumer)),
  'chatflow_circuit_open': ({ now }) => Number(now.health.broker.circuit !== 'CLOSED'),
  'histogram_quantile(0.99, sum by (le, server_id) (rate(chatflow_log_lag_seconds_bucket[1m])))': (seen) =>
    seen.quantile('broker', 0.99, 60),
  'sum by (server_id) (increase(chatflow_gaps_total[5m]))': (seen) => seen.growth(({ stats }) => stats.gaps, 300),
  'sum by (server_id) (rate(chatflow_slow_closed_total[5m]))': (seen) => seen.rate(({ slow }) => total(slow), 300),
  'sum by (server_id) (rate(chatflow_connections_refused_total{reason="token"}[5m]))': (seen) =>
    seen.rate(({ rejectedConnections }) => rejectedConnections.token ?? 0, 300),
  'sum by (server_id) (increase(chatflow_access_failures_total[5m]))': (seen) =>
    seen.growth(({ marks }) => marks.accessFailures, 300),
  'chatflow_clock_behind_seconds': ({ now }) => now.marks.clockBehindSeconds,
  'sum by (server_id) (chatflow_lane_messages)': ({ now }) => now.stats.lanes.reduce((sum, { waiting }) => sum + waiting, 0),
  'chatflow_connections / chatflow_connections_limit': ({ now }) => now.stats.connections / now.marks.connectionsLimit,
  'process_files_open_files / process_files_max_files': ({ now }) => now.marks.filesOpen / now.marks.filesMost,
};

const HOLDS = { '==': (a, b) => a === b, '>': (a, b) => a > b };

export function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Parses a rules file of Prometheus: name, severity, figure, sign, bound, and the s that a rule must hold. */
export function rulesOf(text) {
  return text.split(/^ *- alert: /m).slice(1).map((rule) => {
    const expression = /expr: (?:>-)?([^]*?)\n *(?:for|labels):/.exec(rule)[1].replace(/\s+/g, ' ').trim();
    const [, figure = expression, sign, bound] = /^(.*) (==|>) ([\d.]+)$/.exec(expression) ?? [];
    const [, wait = 0, unit] = /for: (\d+)([sm])/.exec(rule) ?? [];
    const [, severity] = /severity: (\w+)/.exec(rule);
    return { name: /^\w+/.exec(rule)[0], severity, figure, sign, bound: Number(bound), wait: wait * (unit === 'm' ? 60 : 1) };
  });
}

/** Parses the runbook: the texts of each alert by name. */
export function runbookOf(text) {
  const alerts = text.matchAll(/^### (\w+) \((?:page|warn)\)\n\n(.+)\n\n\*\*Check:\*\* (.+)\n\n\*\*Do:\*\* (.+)$/gm);
  return new Map([...alerts].map(([, name, means, look, act]) => [name, { means, look, act }]));
}

/** The alerts that can be evaluated from the reports of one server. */
export class Alerts {
  #since = new Map();

  /** Keeps the rules whose figure is known here. */
  constructor(rules, runbook) {
    this.all = rules.length;
    this.rules = rules.filter(({ figure, sign }) => sign !== undefined && Object.hasOwn(FIGURES, figure));
    this.runbook = runbook;
  }

  /** Returns the alerts that have held for the time of their rules, up to the last report. */
  of(seen) {
    return this.rules.filter((rule) => this.#heldSince(rule, seen) + rule.wait <= seen.at)
      .map((rule) => ({ ...rule, ...this.runbook.get(rule.name), seconds: seen.at - this.#since.get(rule.name) }));
  }

  #heldSince({ name, figure, sign, bound }, seen) {
    if (!HOLDS[sign](FIGURES[figure](seen), bound)) {
      this.#since.delete(name);
    } else if (!this.#since.has(name)) {
      this.#since.set(name, seen.at);
    }
    return this.#since.get(name) ?? Infinity;
  }
}
