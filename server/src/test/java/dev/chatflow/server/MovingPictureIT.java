package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.server.Browser.Tab;
import dev.chatflow.server.launch.LaunchedWar;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The moving picture of README: two windows, a disconnect that catches up, a server killed. */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class MovingPictureIT {

  private static final File PICTURE = Path.of("target", "chat.gif").toFile();
  private static final int WIDTH = 390;
  private static final int HEIGHT = 560;
  private static final int CAPTION = 44;
  private static final int GAP = 12;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temporary;

  private record Frame(BufferedImage image, int centiseconds) {}

  @Tag("long") // the picture of the documents
  @Test
  void everythingIsShownAfterADisconnectAndAKilledServer() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        LaunchedWar first = launched(broker, "one");
        LaunchedWar second = launched(broker, "two");
        TcpProxy balancer = TcpProxy.to(port(first));
        Browser browser = Browser.start()) {
      Tab ann = entered(browser, balancer.port(), "Ann");
      Tab bob = entered(browser, port(second), "Bob");
      List<Frame> frames = new ArrayList<>();
      say(bob, "Hi Ann, is the build green?", ann);
      say(ann, "Since nine. I am starting the release", bob);
      frames.add(frame("Ann and Bob chat on two servers", ann, bob, 250));
      ann.evaluate("document.getElementById('cut').click()");
      write(bob, "Good luck!");
      write(bob, "I am watching the charts");
      awaitShown(bob, "I am watching the charts");
      frames.add(frame("Ann is disconnected for a moment", ann, bob, 250));
      awaitShown(ann, "I am watching the charts");
      frames.add(frame("Ann reconnects and gets what was missed", ann, bob, 300));
      first.kill();
      first.awaitExit();
      balancer.onlyTo(port(second));
      write(bob, "Oh, your server was just killed");
      awaitShown(bob, "Oh, your server was just killed");
      frames.add(frame("Ann's server is killed", ann, bob, 250));
      awaitShown(ann, "Oh, your server was just killed");
      say(ann, "I am on the other one now. Nothing is missing", bob);
      frames.add(frame("Ann's page moves to the other server", ann, bob, 400));
      write(frames);
      assertThat(ann.texts(".messages .text .body")).isEqualTo(bob.texts(".messages .text .body"));
      assertThat(PICTURE).isFile();
    }
  }

  private LaunchedWar launched(EmbeddedBroker broker, String id) throws IOException {
    LaunchedWar server =
        LaunchedWar.start(
            temporary,
            Map.of("CHATFLOW_SERVER_ID", id, "CHATFLOW_AMQP_URI", broker.uri().toString()),
            "--port=0",
            "--admin-port=0");
    Awaitility.await().atMost(PATIENCE).until(server::isReady);
    return server;
  }

  private static int port(LaunchedWar server) {
    return URI.create(server.url(1, "page").orElseThrow()).getPort();
  }

  private static Tab entered(Browser browser, int port, String name) {
    Tab tab = browser.open(URI.create("http://127.0.0.1:" + port + "/chat/release"));
    tab.size(WIDTH, HEIGHT, false);
    tab.scheme("light");
    tab.await("document.activeElement.id === 'username'");
    tab.type(name);
    tab.press("Enter");
    tab.await("document.body.dataset.state === 'here'");
    return tab;
  }

  private static void say(Tab from, String text, Tab other) {
    write(from, text);
    awaitShown(from, text);
    awaitShown(other, text);
  }

  private static void write(Tab from, String text) {
    from.evaluate("document.getElementById('text').focus()");
    from.type(text);
    from.press("Enter");
  }

  private static void awaitShown(Tab tab, String text) {
    Awaitility.await(text)
        .atMost(PATIENCE)
        .until(() -> tab.texts(".messages .text .body").contains(text));
  }

  private static Frame frame(String caption, Tab left, Tab right, int centiseconds)
      throws IOException {
    BufferedImage image =
        new BufferedImage(2 * WIDTH + GAP, CAPTION + HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D pen = image.createGraphics();
    pen.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    pen.setColor(new Color(0x24292f));
    pen.fillRect(0, 0, image.getWidth(), image.getHeight());
    pen.setColor(Color.WHITE);
    pen.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
    pen.drawString(caption, GAP, CAPTION - 15);
    pen.drawImage(ImageIO.read(new ByteArrayInputStream(left.picture())), 0, CAPTION, null);
    pen.drawImage(
        ImageIO.read(new ByteArrayInputStream(right.picture())), WIDTH + GAP, CAPTION, null);
    pen.dispose();
    return new Frame(image, centiseconds);
  }

  private static void write(List<Frame> frames) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(PICTURE)) {
      writer.setOutput(out);
      writer.prepareWriteSequence(null);
      for (Frame frame : frames) {
        writer.writeToSequence(
            new IIOImage(frame.image, null, timed(writer, frame)), writer.getDefaultWriteParam());
      }
      writer.endWriteSequence();
    } finally {
      writer.dispose();
    }
  }

  /** How long a frame is shown, and that the first one follows the last (NETSCAPE2.0). */
  private static IIOMetadata timed(ImageWriter writer, Frame frame) throws IOException {
    IIOMetadata metadata =
        writer.getDefaultImageMetadata(
            ImageTypeSpecifier.createFromRenderedImage(frame.image), null);
    String format = metadata.getNativeMetadataFormatName();
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
    IIOMetadataNode control = child(root, "GraphicControlExtension");
    control.setAttribute("delayTime", Integer.toString(frame.centiseconds));
    control.setAttribute("disposalMethod", "none");
    IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
    loop.setAttribute("applicationID", "NETSCAPE");
    loop.setAttribute("authenticationCode", "2.0");
    loop.setUserObject(new byte[] {1, 0, 0});
    child(root, "ApplicationExtensions").appendChild(loop);
    metadata.setFromTree(format, root);
    return metadata;
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int i = 0; i < root.getLength(); i++) {
      if (root.item(i).getNodeName().equals(name)) {
        return (IIOMetadataNode) root.item(i);
      }
    }
    IIOMetadataNode made = new IIOMetadataNode(name);
    root.appendChild(made);
    return made;
  }
}
