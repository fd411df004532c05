package dev.chatflow.server.http;

import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.NoEdgeMeter;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.SessionContext;
import dev.chatflow.server.edge.SessionRegistry;
import dev.chatflow.server.edge.TestEdge;
import dev.chatflow.server.publish.Drained;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** What is published over HTTP, and what is counted of it; a broker that confirms at once. */
final class PostedTexts implements PostMeter, Lanes {

  final List<String> refused = new ArrayList<>();
  final List<Integer> answered = new CopyOnWriteArrayList<>();
  final List<Outgoing.Line> lines = new ArrayList<>();
  @Nullable String closedBecause;
  boolean open = true;
  int ratePerSecond;

  PublishHandler handler() {
    SessionContext context =
        new SessionContext(
            "server-1",
            4,
            new TestEdge().ratePerSecond(ratePerSecond).config(),
            this,
            new NoEdgeMeter());
    Posts posts = new Posts(context, new SessionRegistry("server-1", 1, 10));
    return new PublishHandler(posts, () -> closedBecause, this);
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
  public boolean offer(Outgoing message, Drained session) {
    Outgoing.Line line = (Outgoing.Line) message;
    lines.add(line);
    Runnable confirm = line.onConfirm();
    if (confirm != null) {
      confirm.run();
    }
    return true;
  }

  @Override
  public boolean acceptsNew(RoomId room) {
    return open;
  }

  @Override
  public long retryAfterMillis() {
    return 250;
  }
}
