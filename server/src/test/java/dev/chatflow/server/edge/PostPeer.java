package dev.chatflow.server.edge;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Posts.Admitted;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A post as its request sees it, with a clock of the test. */
public final class PostPeer {

  private final Posts posts;
  private final Post post;
  private @Nullable Admitted admitted;

  public PostPeer(Posts posts, ClientMessage message, RoomId room) {
    this.posts = posts;
    this.post = new Post(posts.stamped(message, room, ""), posts);
  }

  /** Offers it to its lane; false while the lane accepts nothing, and it may be offered again. */
  public boolean offer() {
    admitted = posts.offer(post);
    return admitted != null;
  }

  /** Returns why it was rejected; null if it was accepted. */
  public @Nullable ErrorFrame refusal() {
    return admitted instanceof Admitted.Refused(ErrorFrame error) ? error : null;
  }

  /** Returns its fate as far as known. */
  public Post.Outcome outcome() {
    return post.await(Duration.ZERO);
  }

  /** Notes that the request was answered. */
  public void answered() {
    post.answered();
  }

  /** Returns the id of its line in the log. */
  public String connectionId() {
    return post.connectionId();
  }
}
