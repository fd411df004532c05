package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Posts.Admitted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A post as its request knows it; whoever asks lets time pass by a clock of his own. */
public final class PostPeer {

  private final Posts posts;
  private final Post post;
  private @Nullable Admitted admitted;

  public PostPeer(Posts posts, ClientMessage message, RoomId room) {
    this.posts = posts;
    this.post = new Post(posts.stamped(message, room, ""), posts);
  }

  /** Offers it to its lane; false while that takes nothing, and it may be offered again. */
  public boolean offer() {
    admitted = posts.offer(post);
    return admitted != null;
  }

  /** Why it was not taken; null when it was. */
  public @Nullable ErrorFrame refusal() {
    return admitted instanceof Admitted.Refused(ErrorFrame error) ? error : null;
  }

  /** What is known of its fate by now. */
  public Post.Outcome outcome() {
    return post.await(Duration.ZERO);
  }

  /** The request has its answer. */
  public void answered() {
    post.answered();
  }

  /** By which its line is found in the log. */
  public String connectionId() {
    return post.connectionId();
  }
}
