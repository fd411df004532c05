package dev.chatflow.consumer.room;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.room.FakeMember;
import dev.chatflow.room.Shard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Connections that remember what they were told. */
final class FakeSessions implements Sessions {

  final List<Shard> lost = new CopyOnWriteArrayList<>();
  private final Map<String, FakeSender> senders = new ConcurrentHashMap<>();

  FakeSender open(String session) {
    return senders.computeIfAbsent(session, FakeSender::new);
  }

  @Override
  public @Nullable Sender find(String session) {
    return senders.get(session);
  }

  @Override
  public void continuityLost(Shard shard) {
    lost.add(shard);
  }

  /** One connection. */
  static final class FakeSender implements Sender {

    final AtomicInteger cameBack = new AtomicInteger();
    final List<Integer> returns = new CopyOnWriteArrayList<>();
    final List<ChatMessage> resends = new CopyOnWriteArrayList<>();
    private final FakeMember member;

    FakeSender(String session) {
      member = new FakeMember(session);
    }

    @Override
    public FakeMember member() {
      return member;
    }

    @Override
    public void cameBack(int messages) {
      returns.add(messages);
      cameBack.addAndGet(messages);
    }

    @Override
    public void resendWasShown(ChatMessage resend) {
      resends.add(resend);
    }
  }
}
