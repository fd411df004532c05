// The samples of a server in the last minutes, and figures derived from them. Has no clock: times are passed in, in s.

const KEPT = 330; // s: five minutes, the longest range of a rule, and some more

/** The samples of one server since its start, oldest first. */
export class Samples {
  #samples = [];

  /** Adds a response at a time. Another or restarted server clears earlier samples. */
  add(at, sample) {
    const before = this.now?.health;
    if (before !== undefined && (sample.health.uptimeSeconds < before.uptimeSeconds || sample.health.serverId !== before.serverId)) {
      this.#samples = [];
    }
    this.#samples.push({ at, sample });
    while (at - this.#samples[0].at > KEPT) {
      this.#samples.shift();
    }
  }

  get now() {
    return this.#samples.at(-1)?.sample;
  }

  get at() {
    return this.#samples.at(-1)?.at;
  }

  /** The age of the oldest sample. */
  get seconds() {
    return this.at - this.#samples[0].at;
  }

  #before(seconds) {
    return this.#samples.find(({ at }) => this.at - at <= seconds);
  }

  /** Returns the growth of a counter within this many seconds, as far as known. */
  growth(count, seconds) {
    return count(this.now) - count(this.#before(seconds).sample);
  }

  /** Returns the growth per second; 0 at the first sample. */
  rate(count, seconds) {
    const elapsed = this.at - this.#before(seconds).at;
    return elapsed === 0 ? 0 : this.growth(count, seconds) / elapsed;
  }

  /** Returns the mean time of a hop, in s; undefined if there was none. */
  mean(name, seconds) {
    const count = this.growth((sample) => hop(sample, name).count, seconds);
    return count === 0 ? undefined : this.growth((sample) => hop(sample, name).seconds, seconds) / count;
  }

  /** Returns a quantile of a hop's times in s, computed like Prometheus; undefined if there was none. */
  quantile(name, share, seconds) {
    const bounds = this.now.bucketMillis;
    const counts = bounds.map((_, i) => this.growth((sample) => hop(sample, name).within[i], seconds));
    const rank = share * this.growth((sample) => hop(sample, name).count, seconds);
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

  /** Returns a value of each sample as [s before now, value]; `value` also gets the previous sample. */
  curve(value) {
    return this.#samples.slice(1).map(({ at, sample }, i) => {
      const before = this.#samples[i];
      return [this.at - at, value(sample, before.sample, at - before.at)];
    });
  }
}

export function hop(sample, name) {
  return sample.hops.find((one) => one.name === name);
}

/** Returns the points of a polyline in a box `seconds` wide, with the newest at its right end and `most` at the top. */
export function points(curve, [width, height], seconds, most) {
  return curve
    .filter(([ago]) => ago <= seconds)
    .map(([ago, value]) => `${(width * (1 - ago / seconds)).toFixed(1)},${(height - (height * value) / most).toFixed(1)}`)
    .join(' ');
}
