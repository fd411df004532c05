package dev.chatflow.client.result;

import java.util.ArrayList;
import java.util.List;

/**
 * Searches the highest rate that passes: doubles until a step fails, then halves the gap, then
 * confirms.
 *
 * <p>Belongs to one thread.
 */
public final class RateSearch {
  private static final int MAX_STEPS = 60;
  private static final int CONFIRMATIONS = 2;

  /** The result of a step. */
  public enum Grade {
    OK,
    FAILED,
    /** The client was the bottleneck: higher rates cannot be judged. */
    INCONCLUSIVE
  }

  /** Runs one step at a rate; a confirming step is longer. */
  public interface Step {
    Grade run(double rate, boolean confirming) throws InterruptedException;
  }

  /**
   * The result of the search.
   *
   * @param highest the highest passing rate; 0 if none passed
   * @param confirmed number of longer steps that passed at it
   */
  public record Found(double highest, int confirmed, boolean inconclusive, List<Double> tried) {
    public Found {
      tried = List.copyOf(tried);
    }
  }

  private final Step step;
  private final double precision;
  private final List<Double> tried = new ArrayList<>();
  private boolean inconclusive;

  /** Creates a search that ends when the gap is below this share of the rate. */
  public RateSearch(Step step, double precision) {
    this.step = step;
    this.precision = precision;
  }

  public Found from(double start) throws InterruptedException {
    double good = 0;
    double bad = start;
    while (!inconclusive && tried.size() < MAX_STEPS && passes(bad, false)) {
      good = bad;
      bad = bad * 2;
    }
    if (good == 0) {
      return new Found(0, 0, inconclusive, tried);
    }
    while (tried.size() < MAX_STEPS && bad - good > good * precision) {
      double middle = (good + bad) / 2;
      if (passes(middle, false)) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    return confirm(good);
  }

  private Found confirm(double found) throws InterruptedException {
    double rate = found;
    int confirmed = 0;
    while (confirmed < CONFIRMATIONS && tried.size() < MAX_STEPS) {
      if (passes(rate, true)) {
        confirmed++;
      } else {
        rate *= 1 - precision;
        confirmed = 0;
      }
    }
    return new Found(rate, confirmed, inconclusive, tried);
  }

  private boolean passes(double rate, boolean confirming) throws InterruptedException {
    tried.add(rate);
    Grade grade = step.run(rate, confirming);
    inconclusive |= grade == Grade.INCONCLUSIVE;
    return grade == Grade.OK;
  }
}
