package dev.chatflow.server.http;

import dev.chatflow.message.ClientRules;
import dev.chatflow.message.UserIds;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.ConnectionContext;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.NoEdgeMeter;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.TestEdge;
import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The posts and their counts, with a log that accepts everything at once. */
final class PostedTexts implements PostMeter, Lanes {

  final List<String> refused = new ArrayList<>();
  final List<Integer> answered = new CopyOnWriteArrayList<>();
  final List<Integer> told = new CopyOnWriteArrayList<>();
  final List<WaitingLine> lines = new ArrayList<>();
  @Nullable String closedBecause;
  boolean open = true;

  PublishHandler handler() {
    ConnectionContext context = new TestEdge().context(this, new NoEdgeMeter());
    Posts posts =
        new Posts(
            context, new ConnectionRegistry("server-1", 1, TestEdge.slots(10), context.leaves()));
    return new PublishHandler(posts, () -> closedBecause, new ClientRules(UserIds.NUMBER), this);
  }

  @Override
  public void refused(String errorCode) {
    refused.add(errorCode);
  }

  @Override
  public void answered(int status, Duration took) {
    answered.add(status);
  }

  @Override
  public void pastAnswered(int status) {
    told.add(status);
  }

  @Override
  public OfferResult offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender) {
    WaitingLine taken = line.apply(1);
    lines.add(taken);
    Fate fate = taken.fate();
    if (fate != null) {
      fate.back();
    }
    return OfferResult.ACCEPTED;
  }

  @Override
  public void use(RoomId room) {}

  @Override
  public boolean acceptsNew(RoomId room) {
    return open;
  }

  @Override
  public long openNanos(RoomId room, long nowNanos) {
    return nowNanos;
  }

  @Override
  public long retryAfterMillis() {
    return 250;
  }
}
