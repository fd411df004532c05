package dev.chatflow.client.report;

import dev.chatflow.client.Version;
import dev.chatflow.client.observe.Limits;
import dev.chatflow.client.observe.Machine;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.ExpectedCounts;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.result.Numbers;
import java.util.List;
import java.util.Locale;

/** Describes a run before its start: client, servers and plan. Stateless. */
public final class Preamble {
  private Preamble() {}

  public static String of(Plan plan, List<ServerHealth> servers, String label) {
    StringBuilder text = new StringBuilder(512);
    text.append("ChatFlow load client ").append(Version.text());
    text.append("   run \"").append(label).append("\"\n");
    text.append("client  ").append(Machine.here().line()).append('\n');
    for (int i = 0; i < plan.target().urls().size(); i++) {
      text.append("server  ").append(plan.target().urls().get(i));
      if (i < servers.size()) {
        text.append("  ").append(servers.get(i).description());
      }
      text.append('\n');
    }
    text.append("plan    ").append(plan(plan)).append('\n');
    if (plan.mostPresent() < plan.listeners()) {
      text.append("WARNING a pool of ")
          .append(Numbers.whole(plan.connections()))
          .append(" connections is shared by all users: a message has at most ")
          .append(plan.mostPresent())
          .append(" copies instead of ")
          .append(plan.workload().listeners())
          .append("; compare deliveries, not sends per second\n");
    }
    Plan.Part part = plan.part();
    if (part != null) {
      text.append("part    ").append(part.number()).append(" of ").append(part.count());
      text.append(", starts to send at ").append(part.start()).append('\n');
    }
    text.append("needs   ").append(Limits.here().line(plan.connections())).append('\n');
    return text.toString();
  }

  private static String plan(Plan plan) {
    Workload workload = plan.workload();
    ExpectedCounts expected = plan.expected();
    String size =
        String.format(
            Locale.ROOT,
            "%d rooms x %d users = %,d connections on %d threads",
            workload.rooms(),
            plan.usersHere(),
            plan.connections(),
            plan.loadThreads());
    String sends = each(workload) + " messages each: " + Numbers.whole(expected.sends()) + " sends";
    String deliveries = Numbers.whole(expected.deliveries()) + " deliveries";
    String counts;
    if (plan.exact() && workload.listeners() == 0) {
      counts = sends + ", checked by their answers, without listeners";
    } else if (plan.exact()) {
      counts = sends + ", " + deliveries;
    } else if (workload.duration().isZero()) {
      counts = "at most " + deliveries + ": checked by the ledger";
    } else {
      counts = "for " + workload.duration().toMillis() / 1e3 + " s: checked by the ledger";
    }
    return size + ", " + counts + "; model " + model(plan.pacing()) + "; seed " + plan.seed();
  }

  private static String each(Workload workload) {
    long whole = workload.texts() / workload.users();
    return (workload.texts() % workload.users() == 0 ? "" : "about ") + Numbers.whole(whole);
  }

  private static String model(Pacing pacing) {
    String window =
        pacing.window() == Pacing.UNBOUNDED
            ? ""
            : ", at most " + pacing.window() + " in flight per user";
    String rate =
        pacing.model() == Pacing.Model.OPEN
            ? " " + Numbers.whole(Math.round(pacing.ratePerSecond())) + "/s"
            : "";
    return pacing.model().name().toLowerCase(Locale.ROOT) + rate + window;
  }
}
