// The reports of a server in the last minutes, and figures derived from them. Uses no clock: callers pass times in s.

const KEPT = 330; // s: five minutes, the longest window of a rule, and a margin

/** The reports of one server since its start, oldest first. */
export class Seen {
  #reports = [];

  /** Adds a report. One of another server, or of a restarted one, clears the earlier reports. */
  add(at, report) {
    const before = this.now?.health;
    if (before !== undefined && (report.health.uptimeSeconds < before.uptimeSeconds || report.health.serverId !== before.serverId)) {
      this.#reports = [];
    }
    this.#reports.push({ at, report });
    while (at - this.#reports[0].at > KEPT) {
      this.#reports.shift();
    }
  }

  get now() {
    return this.#reports.at(-1)?.report;
  }

  get at() {
    return this.#reports.at(-1)?.at;
  }

  /** Returns the age in s of the oldest report. */
  get seconds() {
    return this.at - this.#reports[0].at;
  }

  #before(seconds) {
    return this.#reports.find(({ at }) => this.at - at <= seconds);
  }

  /** Returns the increase of a count within `seconds`, as far as the reports reach back. */
  growth(count, seconds) {
    return count(this.now) - count(this.#before(seconds).report);
  }

  /** Returns the increase per second; 0 with a single report. */
  rate(count, seconds) {
    const elapsed = this.at - this.#before(seconds).at;
    return elapsed === 0 ? 0 : this.growth(count, seconds) / elapsed;
  }

  /** Returns the mean time of a hop in s; undefined without observations. */
  mean(name, seconds) {
    const count = this.growth((report) => hop(report, name).count, seconds);
    return count === 0 ? undefined : this.growth((report) => hop(report, name).seconds, seconds) / count;
  }

  /** Returns a quantile of a hop's times in s, computed as Prometheus does; undefined without observations. */
  quantile(name, share, seconds) {
    const bounds = this.now.bucketMillis;
    const counts = bounds.map((_, i) => this.growth((report) => hop(report, name).within[i], seconds));
    const rank = share * this.growth((report) => hop(report, name).count, seconds);
    if (rank === 0) {
      return undefined;
    }
    const i = counts.findIndex((count) => count >= rank);
    if (i < 0) {
      return bounds.at(-1) / 1000;
    }
    const [from, below] = i === 0 ? [0, 0] : [bounds[i - 1], counts[i - 1]];
    return (from + ((bounds[i] - from) * (rank - below)) / (counts[i] - below)) / 1000;
  }

  /** Returns [age in s, value] for each report; `value` also gets the preceding report. */
  curve(value) {
    return this.#reports.slice(1).map(({ at, report }, i) => {
      const before = this.#reports[i];
      return [this.at - at, value(report, before.report, at - before.at)];
    });
  }
}

export function hop(report, name) {
  return report.hops.find((one) => one.name === name);
}

/** Returns the points of a polyline in a box that covers `seconds`, newest on the right, with `most` at the top. */
export function points(curve, [width, height], seconds, most) {
  return curve
    .filter(([ago]) => ago <= seconds)
    .map(([ago, value]) => `${(width * (1 - ago / seconds)).toFixed(1)},${(height - (height * value) / most).toFixed(1)}`)
    .join(' ');
}
